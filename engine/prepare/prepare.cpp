#include <splatwright/prepare/prepare.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/core/tools.h>
#include <splatwright/prepare/content_hash.h>
#include <splatwright/prepare/dataset_out.h>
#include <splatwright/prepare/video.h>
#include <splatwright/prepare/work_folder.h>

namespace splat::prepare {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr size_t kMostNoted = 20;  // photographs that are left out

/// The images of the dataset, and what they were made from.
struct Images {
    std::vector<Photograph> photographs;
    std::vector<LeftOut> leftOut;
    fs::path masks;  ///< for COLMAP; empty: none
    std::string key;
    bool sequence = false;
};

bool isSame(const fs::path& a, const fs::path& b) {
    std::error_code failed;
    return fs::equivalent(a, b, failed) && !failed;
}

std::vector<std::string> namesOf(const std::vector<Photograph>& photographs) {
    std::vector<std::string> names;
    for (const Photograph& photograph : photographs) names.push_back(photograph.name);
    return names;
}

/// A known distance with the names that the dataset has for photographs that are named by their files.
std::optional<KnownDistance> inDataset(std::optional<KnownDistance> known, const std::vector<Photograph>& photographs) {
    if (!known) return known;
    for (std::string* name : {&known->first, &known->second}) {
        const auto made = std::ranges::find(photographs, *name, &Photograph::source);
        if (made != photographs.end()) *name = made->name;
    }
    return known;
}

class Preparation {
public:
    Preparation(const Settings& settings, Observer& observer);

    Report run();

private:
    bool isDone(const std::string& key, bool inPlace);
    bool isOwnResult(const fs::path& path);
    PhotographFolder usablePhotographs();
    Images imagesOfFolder();
    void placeImages(const PhotographFolder& folder, bool inPlace);
    fs::path masksForColmap(const PhotographFolder& folder);
    Images imagesOfVideo(const VideoTools& tools);
    std::vector<std::string> framesOf(const VideoTools& tools, const Video& video, const fs::path& staged) const;
    Poses poses(const Colmap& colmap, const Images& images);
    Report finish(Poses poses, const Images& images);
    glm::dvec3 upIn(const ModelImage& image) const;

    Settings settings_;
    Observer& observer_;
    fs::path out_, log_;
    bool isFolder_ = false;
    Origin origin_;
    std::optional<WorkFolder> work_;
};

Preparation::Preparation(const Settings& settings, Observer& observer)
    : settings_(settings), observer_(observer), out_(settings.out), log_(out_ / kLogFile) {
    std::error_code ignored;
    isFolder_ = fs::is_directory(settings.input, ignored);
    const bool ownImages = isSame(settings.input, out_ / "images");  // the folder is then as well the input as its images
    origin_ = originOf(isFolder_ ? "photographs" : "video", ownImages ? out_ : settings.input);
}

/// Whether the images of this key are in their places.
bool Preparation::isDone(const std::string& key, bool inPlace) {
    const OwnFiles& own = work_->own();
    return work_->stages().result("images", key) && own.origin() == origin_ && own.hasAny("images") != inPlace && own.hasAll("images") &&
           own.hasAll("masks");
}

/// Of earlier work in the input: what an earlier call placed beside the photographs, and what the caller knows.
bool Preparation::isOwnResult(const fs::path& path) {
    for (const char* top : {"images", "masks"}) {
        if (work_->own().origin() == origin_ && work_->own().hasAny(top) && isSame(path, out_ / top)) return true;
    }
    if (!settings_.isResult || !settings_.isResult(path)) return false;
    observer_.onNote(fmt::format("{}: is a result of earlier work, and no photograph", path.string()));
    return true;
}

PhotographFolder Preparation::usablePhotographs() {
    PhotographFolder folder = findPhotographs(settings_.input, [this](const fs::path& path) { return isOwnResult(path); });
    if (isSame(folder.images, out_ / "images")) {
        // Those with another source would have to be converted beside themselves.
        for (const Photograph& photograph : folder.photographs) {
            if (photograph.source.empty()) continue;
            folder.leftOut.push_back(
                {photograph.source, "is in the dataset's own images/, where nothing is converted; expected another folder"});
        }
        std::erase_if(folder.photographs, [](const Photograph& photograph) { return !photograph.source.empty(); });
    }
    checkDistance(inDataset(settings_.distance, folder.photographs), namesOf(folder.photographs));
    decodePhotographs(folder, observer_);
    for (size_t i = 0; i < std::min(folder.leftOut.size(), kMostNoted); ++i)
        observer_.onNote(fmt::format("left out {}: {}", escapedName(folder.leftOut[i].name), folder.leftOut[i].reason));
    if (!folder.leftOut.empty())
        observer_.onNote(fmt::format("{} files are left out of {}", folder.leftOut.size(), folder.images.string()));
    settings_.distance = inDataset(settings_.distance, folder.photographs);
    checkDistance(settings_.distance, namesOf(folder.photographs));
    if (!settings_.gps) return folder;
    // Positions are looked for before the work of hours.
    const auto hasPosition = [&](const Photograph& photograph) { return readShot(folder.images / photograph.file()).position.has_value(); };
    const auto found = static_cast<size_t>(std::ranges::count_if(folder.photographs, hasPosition));
    if (found >= kFewestPositions) return folder;
    throw InputError("{}: found a GPS position in {} of {} photographs, expected at least {}", folder.images.string(), found,
                     folder.photographs.size(), kFewestPositions);
}

/// Names alone do not tell photographs apart, and times tell apart what is the same.
std::string keyOf(const PhotographFolder& folder) {
    std::error_code ignored;
    std::string listing = fs::canonical(folder.images, ignored).string() + '\n';
    for (const Photograph& photograph : folder.photographs) listing += photograph.name + ' ' + photograph.content + '\n';
    return hashOf(listing);
}

Images Preparation::imagesOfFolder() {
    const PhotographFolder folder = usablePhotographs();
    Images images{.photographs = folder.photographs, .leftOut = folder.leftOut, .masks = {}, .key = keyOf(folder)};
    const bool inPlace = isSame(folder.images, out_ / "images");
    if (isDone(images.key, inPlace)) {
        work_->own().refresh();
    } else {
        placeImages(folder, inPlace);
        work_->stages().finish("images", images.key, true);
    }
    images.masks = masksForColmap(folder);
    return images;
}

/// Removes the earlier model as well, which does not fit other images.
void Preparation::placeImages(const PhotographFolder& folder, bool inPlace) {
    const fs::path staged = work_->own().stage();
    if (inPlace) {
        for (const char* top : {"images", "masks"}) work_->own().release(top);  // these are the input from now on
    } else {
        PhotographFolder placed = folder;
        if (isSame(folder.masks, out_ / "masks")) placed.masks.clear();  // they are there
        placePhotographs(placed, staged / "images", staged / "masks", observer_);
    }
    work_->own().place(origin_, kAllFiles);
}

/// COLMAP wants NAME.png for each photograph, which the user's own need not be called.
fs::path Preparation::masksForColmap(const PhotographFolder& folder) {
    if (folder.masks.empty()) return {};
    if (work_->own().hasAny("masks")) return out_ / "masks";
    const fs::path masks = out_ / kWorkFolder / "masks";
    std::error_code ignored;
    fs::remove_all(masks, ignored);
    for (const Photograph& photograph : folder.photographs) {
        const fs::path mask = maskOf(folder, photograph);
        if (!mask.empty()) place(mask, masks / (photograph.name + ".png"));
    }
    return fs::exists(masks, ignored) ? masks : fs::path();
}

std::vector<std::string> Preparation::framesOf(const VideoTools& tools, const Video& video, const fs::path& staged) const {
    const std::vector<FrameLook> looks = lookAtFrames(tools, video, observer_);
    if (allBlurred(looks))
        throw InputError("{}: all {} frames are blurred, expected some that are sharp: move slowly, in good light", video.path.string(),
                         looks.size());
    const std::vector<size_t> chosen = chooseFrames(looks, settings_.frames);
    if (chosen.size() < kFewestPhotographs)
        throw InputError("{}: found {} usable photographs, expected at least {}", video.path.string(), chosen.size(), kFewestPhotographs);
    fs::create_directories(staged / "images");
    const std::vector<std::string> names = exportFrames(tools, video, chosen, staged / "images", observer_);
    json frames = json::array();
    for (size_t i = 0; i < chosen.size(); ++i)
        frames.push_back({{"name", names[i]}, {"frame", chosen[i]}, {"sharpness", looks[chosen[i]].sharpness}});
    writeFileAtomically(staged / "frames.json", json{{"frames", frames}, {"of", looks.size()}}.dump(1) + "\n");
    return names;
}

Images Preparation::imagesOfVideo(const VideoTools& tools) {
    const Video video = probeVideo(tools, settings_.input, observer_);
    observer_.onStage("video", 1);
    const std::string content = hashOfFile(settings_.input, [this] { observer_.check(); });
    observer_.onProgress(1);
    Images images{.key = hashOf(fmt::format("{} {} {}", origin_.input, content, settings_.frames)), .sequence = true};
    auto done = work_->stages().result("images", images.key);
    if (!done || !isDone(images.key, false)) {
        done = framesOf(tools, video, work_->own().stage());
        work_->own().place(origin_, kAllFiles);
        work_->stages().finish("images", images.key, *done);
    }
    for (const std::string name : *done) images.photographs.push_back({name, readImageHeader(out_ / "images" / name).size});
    checkDistance(settings_.distance, namesOf(images.photographs));
    return images;
}

/// Upward in the frame of the camera that stored the photograph, as its EXIF says.
glm::dvec3 Preparation::upIn(const ModelImage& image) const {
    switch (readOrientation(out_ / "images" / image.name)) {
        case Orientation::rotated180:
        case Orientation::flipped: return {0, 1, 0};
        case Orientation::rotated90:
        case Orientation::transposed: return {-1, 0, 0};
        case Orientation::rotated270:
        case Orientation::transversed: return {1, 0, 0};
        default: return {0, -1, 0};
    }
}

Poses Preparation::poses(const Colmap& colmap, const Images& images) {
    const PosesInput input{.images = out_ / "images",
                           .masks = images.masks,
                           .work = out_ / kWorkFolder,
                           .log = log_,
                           .photographs = images.photographs,
                           .sequence = images.sequence,
                           .cameraModel = settings_.cameraModel,
                           .mapper = settings_.mapper,
                           .up = [this](const ModelImage& image) { return upIn(image); },
                           .key = hashOf(images.key + settings_.cameraModel + (settings_.mapper == Mapper::global ? "global" : ""))};
    return computePoses(colmap, input, work_->stages(), observer_);
}

Report Preparation::finish(Poses poses, const Images& images) {
    observer_.onStage("dataset", 1);
    const SceneFrame frame = frameOf(poses.model, out_ / "images", settings_, [this](const ModelImage& image) { return upIn(image); });
    Report report = writeInFrame(work_->own().stage(), std::move(poses.model), frame);
    work_->own().place(origin_, kModelFiles);
    observer_.onProgress(1);
    report.photographs = images.photographs.size();
    report.leftOut = images.leftOut;
    report.unregistered = std::move(poses.unregistered);
    return report;
}

/// All that can be refused is looked at before anything is written.
Report Preparation::run() {
    requireExisting(settings_.input, "No such file or directory");
    const bool inPlace = isSame(settings_.input, out_) || isSame(settings_.input, out_ / "images");
    checkFolder(out_, origin_, settings_.force, inPlace);
    const Colmap colmap(requireTool("colmap", settings_.colmap), log_, observer_);
    requireMapper(colmap, settings_.mapper);
    std::optional<VideoTools> tools;
    if (!isFolder_) {
        if (settings_.gps) throw InputError("{}: a video has no GPS positions, expected photographs", settings_.input.string());
        tools = findVideoTools(log_, observer_);
        checkDistance(settings_.distance, frameNames(settings_.frames));
    }
    work_.emplace(out_, origin_, settings_.force, inPlace);
    spdlog::info("COLMAP {} ({})", colmap.version(), colmap.usesGpu() ? "with its GPU code" : "on the CPU");
    const Images images = isFolder_ ? imagesOfFolder() : imagesOfVideo(*tools);
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
