#include <splatwright/prepare/prepare.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/folder_lock.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/prepare/dataset_out.h>
#include <splatwright/prepare/tools.h>
#include <splatwright/prepare/video.h>

namespace splat::prepare {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kWork = ".prepare";

/// The images of the dataset, and what they were made from.
struct Images {
    std::vector<Photograph> photographs;
    std::vector<LeftOut> leftOut;
    std::string key;
    bool sequence = false;
};

bool isSame(const fs::path& a, const fs::path& b) {
    std::error_code failed;
    return fs::equivalent(a, b, failed) && !failed;
}

/// A folder may be new, empty, one of an earlier call, or the one whose photographs are the input.
void checkOut(const Settings& settings) {
    const fs::path& out = settings.out;
    std::error_code ignored;
    if (out.empty()) throw InputError("the path of the dataset is empty, expected a folder");
    if (!fs::exists(out, ignored) || fs::exists(out / kWork, ignored)) return;
    if (!fs::is_directory(out, ignored)) throw InputError("{}: is a file, expected a folder or a new path", out.string());
    if (fs::is_empty(out, ignored)) return;
    if (mayExist(out / "sparse") || mayExist(out / "transforms.json"))
        throw InputError("{}: holds a dataset already, expected a new folder or one that this command made", out.string());
    if (isSame(settings.input, out) || isSame(settings.input, out / "images")) return;
    throw InputError("{}: is not empty, expected a new folder or one that this command made", out.string());
}

std::string stampOf(const fs::path& file) {
    std::error_code ignored;
    return fmt::format("{} {} {}\n", file.string(), fs::file_size(file, ignored),
                       fs::last_write_time(file, ignored).time_since_epoch().count());
}

/// Upward in the frame of the camera that stored the photograph, as its EXIF says.
glm::dvec3 upOf(Orientation orientation) {
    switch (orientation) {
        case Orientation::rotated180:
        case Orientation::flipped: return {0, 1, 0};
        case Orientation::rotated90:
        case Orientation::transposed: return {-1, 0, 0};
        case Orientation::rotated270:
        case Orientation::transversed: return {1, 0, 0};
        default: return {0, -1, 0};
    }
}

class Preparation {
public:
    Preparation(const Settings& settings, Observer& observer)
        : settings_(settings), observer_(observer), out_(settings.out), log_(out_ / "prepare.log") {}

    Report run();

private:
    void makeFolders() const;
    void removeImages() const;
    Images imagesOfFolder();
    Images imagesOfVideo();
    std::vector<std::string> framesOf(const VideoTools& tools, const Video& video) const;
    Poses poses(const Colmap& colmap, const Images& images);
    Report finish(Poses poses, const Images& images) const;
    glm::dvec3 upIn(const ModelImage& image) const { return upOf(readOrientation(out_ / "images" / image.name)); }

    const Settings& settings_;
    Observer& observer_;
    fs::path out_, log_;
    std::optional<Stages> stages_;
};

void Preparation::makeFolders() const {
    std::error_code failed;
    fs::create_directories(out_ / kWork, failed);
    if (failed) throw Error("{}: cannot be created: {}", (out_ / kWork).string(), failed.message());
    checkWritable(out_ / kWork / "stages.json");
}

/// Those of an earlier call; never the user's own.
void Preparation::removeImages() const {
    std::error_code ignored;
    if (!stages_->has("images")) return;
    fs::remove_all(out_ / "images", ignored);
    fs::remove_all(out_ / "masks", ignored);
}

Images Preparation::imagesOfFolder() {
    const PhotographFolder folder = listPhotographs(settings_.input, observer_);
    Images images{.photographs = folder.photographs, .leftOut = folder.leftOut};
    std::string listing;
    for (const Photograph& photograph : folder.photographs) listing += stampOf(folder.images / photograph.name);
    images.key = hashOf(listing);
    if (isSame(folder.images, out_ / "images") || stages_->result("images", images.key)) return images;
    removeImages();
    placePhotographs(folder, out_ / "images", out_ / "masks", observer_);
    stages_->finish("images", images.key, true);
    return images;
}

std::vector<std::string> Preparation::framesOf(const VideoTools& tools, const Video& video) const {
    const std::vector<FrameLook> looks = lookAtFrames(tools, video, observer_);
    if (allBlurred(looks))
        throw InputError("{}: all {} frames are blurred, expected some that are sharp: move slowly, in good light", video.path.string(),
                         looks.size());
    const std::vector<size_t> chosen = chooseFrames(looks, settings_.frames);
    requirePhotographs(video.path, chosen.size());
    fs::create_directories(out_ / "images");
    const std::vector<std::string> names = exportFrames(tools, video, chosen, out_ / "images", observer_);
    json frames = json::array();
    for (size_t i = 0; i < chosen.size(); ++i)
        frames.push_back({{"name", names[i]}, {"frame", chosen[i]}, {"sharpness", looks[chosen[i]].sharpness}});
    writeFileAtomically(out_ / "frames.json", json{{"frames", frames}, {"of", looks.size()}}.dump(1) + "\n");
    return names;
}

Images Preparation::imagesOfVideo() {
    const VideoTools tools{requireTool("ffmpeg"), requireTool("ffprobe"), log_};
    const Video video = probeVideo(tools, settings_.input, observer_);
    Images images{.key = hashOf(stampOf(settings_.input) + std::to_string(settings_.frames)), .sequence = true};
    auto done = stages_->result("images", images.key);
    if (!done) {
        removeImages();
        done = framesOf(tools, video);
        stages_->finish("images", images.key, *done);
    }
    for (const std::string name : *done) images.photographs.push_back({name, readImageHeader(out_ / "images" / name).size});
    return images;
}

Poses Preparation::poses(const Colmap& colmap, const Images& images) {
    std::error_code ignored;
    const bool masked = fs::is_directory(out_ / "masks", ignored);
    const PosesInput input{.images = out_ / "images",
                           .masks = masked ? out_ / "masks" : fs::path(),
                           .work = out_ / kWork,
                           .log = log_,
                           .photographs = images.photographs,
                           .sequence = images.sequence,
                           .cameraModel = settings_.cameraModel,
                           .mapper = settings_.mapper,
                           .up = [this](const ModelImage& image) { return upIn(image); },
                           .key = hashOf(images.key + settings_.cameraModel + (settings_.mapper == Mapper::global ? "global" : ""))};
    return computePoses(colmap, input, *stages_, observer_);
}

Report Preparation::finish(Poses poses, const Images& images) const {
    const size_t photographs = images.photographs.size();
    Report report = writeInOwnFrame(settings_, std::move(poses.model), photographs, [this](const auto& image) { return upIn(image); });
    report.leftOut = images.leftOut;
    report.unregistered = std::move(poses.unregistered);
    return report;
}

Report Preparation::run() {
    std::error_code ignored;
    const bool isFolder = fs::is_directory(settings_.input, ignored);
    if (!isFolder && !mayExist(settings_.input)) throw InputError("{}: No such file or directory", settings_.input.string());
    checkOut(settings_);
    const fs::path program = requireTool("colmap", settings_.colmap);
    makeFolders();
    const FolderLock lock(out_ / kWork);
    stages_.emplace(out_ / kWork / "stages.json");
    const Colmap colmap(program, log_, observer_);
    spdlog::info("COLMAP {} ({})", colmap.version(), colmap.usesGpu() ? "with its GPU code" : "on the CPU");
    const Images images = isFolder ? imagesOfFolder() : imagesOfVideo();
    return finish(poses(colmap, images), images);
}

/// Says so if a full disk is the likely cause.
[[noreturn]] void rethrowWithDisk(const fs::path& out, const std::string& what) {
    constexpr uint64_t kLittle = uint64_t{4} << 20u;
    std::error_code failed;
    const fs::space_info space = fs::space(out, failed);
    if (!failed && space.available < kLittle)
        throw Error("{}\n  The disk of {} is full: {} KiB are left", what, out.string(), space.available >> 10u);
    throw Error("{}", what);
}

}  // namespace

Report prepareDataset(const Settings& settings, Observer& observer) {
    try {
        return Preparation(settings, observer).run();
    } catch (const InputError&) {
        throw;
    } catch (const Error& problem) {
        rethrowWithDisk(settings.out, problem.what());
    } catch (const fs::filesystem_error& problem) {
        rethrowWithDisk(settings.out, problem.what());
    }
}

}  // namespace splat::prepare
