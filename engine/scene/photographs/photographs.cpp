#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include <splatwright/core/byte_budget.h>
#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/datasets/companions.h>
#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/images/masks.h>
#include <splatwright/scene/images/orientation.h>
#include <splatwright/scene/photographs/depth_maps.h>
#include <splatwright/scene/photographs/photograph_rows.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/scene/photographs/undistort.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

/// A stored image may be a rescaled copy of the camera's image, with sides rounded to whole pixels.
Camera cameraOfStored(const View& view, ImageSize image) {
    constexpr int kMostTimes = 16;  // the side of its camera: datasets have cameras of images that were shrunk by 8
    const Camera& camera = view.camera;
    if (image.width > kMostTimes * camera.width || image.height > kMostTimes * camera.height) {
        throw InputError("{}: size is {}x{}, expected at most {} times that of its camera, {}x{}", view.image.string(), image.width,
                         image.height, kMostTimes, camera.width, camera.height);
    }
    const double heightFromWidth = static_cast<double>(camera.height) * image.width / camera.width;
    const double widthFromHeight = static_cast<double>(camera.width) * image.height / camera.height;
    if (std::abs(heightFromWidth - image.height) > 1 && std::abs(widthFromHeight - image.width) > 1) {
        throw InputError("{}: size is {}x{}, expected that of its camera, {}x{}, or a multiple or fraction of it", view.image.string(),
                         image.width, image.height, camera.width, camera.height);
    }
    return resized(camera, image.width, image.height);
}

Camera straighten(const View& view, const Camera& camera, const UndistortOptions& options) {
    try {
        return undistortedCamera(camera, view.distortion, options);
    } catch (const InputError& problem) {
        throw InputError("{}: {}", view.image.string(), problem.what());
    }
}

/// Tells how many photographs are loaded, and now and then within each, so that the callback may stop the work at any time.
class LoadingProgress {
public:
    LoadingProgress(const std::function<void(size_t, size_t)>& tell, size_t total) : tell_(tell), total_(total) {}

    void addDone() {
        const std::scoped_lock lock(mutex_);
        ++done_;
        if (tell_) tell_(done_, total_);
    }
    void tick() {
        constexpr std::chrono::milliseconds kInterval{50};
        const std::scoped_lock lock(mutex_);
        const auto now = std::chrono::steady_clock::now();
        if (!tell_ || now < told_ + kInterval) return;
        told_ = now;
        tell_(done_, total_);
    }

private:
    const std::function<void(size_t, size_t)>& tell_;
    const size_t total_;
    std::mutex mutex_;  ///< guards what follows, and calls
    size_t done_ = 0;
    std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

/// Instructions for reading one image.
struct Reading {
    const View& view;
    fs::path mask;   ///< empty: none
    fs::path depth;  ///< empty: none
    bool keepAlpha;
    const PhotographOptions& options;
    const UndistortOptions& undistort;
    DecodingCheck check;
};

/// Headers and resulting sizes, known before decoding.
struct Plan {
    ImageHeader header;
    ImageHeader mask{};   ///< no size: none
    ImageHeader depth{};  ///< no size: none
    Camera stored;        ///< of the stored pixels as they are shown
    Camera straight;      ///< undistorted
    Camera final;         ///< undistorted and downscaled

    bool distorted = false;
    bool blank = false;  ///< some undistorted pixels are not in the photograph
    bool turned = false;
};

/// Blank pixels are masked, and the loss takes a mask or alpha. The values of a panorama's depth map are of another direction than its faces'.
void checkUses(const Reading& reading, const Plan& plan) {
    const std::string path = reading.view.image.string();
    if (plan.blank && reading.keepAlpha && plan.header.channels == 4)
        throw InputError(
            "{}: has transparency, and undistorted pixels that it does not show, expected a photograph without transparency or one that "
            "shows them all",
            path);
    if (plan.depth.pixels() > 0 && reading.view.distortion.panorama())
        throw InputError("{}: is the depth map of a panorama, expected none (`depth` points takes depths from the dataset's points)",
                         reading.depth.string());
}

Plan planOf(const Reading& reading) {
    const View& view = reading.view;
    Plan plan{.header = readImageHeader(view.image, reading.options.megapixels)};
    const ImageSize shown = shownSize(plan.header.size, view.orientation);
    plan.stored = cameraOfStored(view, shown);
    if (!reading.mask.empty()) plan.mask = readCompanionHeader(reading.mask, shown);
    if (!reading.depth.empty()) plan.depth = readCompanionHeader(reading.depth, shown);
    plan.distorted = view.distortion.any();
    plan.turned = view.orientation != Orientation::stored;
    SPLAT_CHECK(!plan.distorted || !plan.turned, "{} has a distortion and an orientation", view.name);
    plan.straight = straighten(view, plan.stored, reading.undistort);
    plan.blank = plan.distorted && !Source(plan.stored, view.distortion, plan.straight).seesAll();
    checkUses(reading, plan);
    constexpr int kLongestSide = 1600;  // pixels, as the reference trainer's automatic choice
    const int longest = std::max(plan.straight.width, plan.straight.height), wanted = reading.options.downscale;
    int factor = std::max(wanted, 1);
    while (wanted == 0 && factor < 8 && longest > kLongestSide * factor) factor *= 2;
    plan.final = downscaled(plan.straight, factor);
    return plan;
}

/// Memory for reading an image, including the result: all buffers whose size depends on the file.
uint64_t bytesFor(const Plan& plan) {
    const ImageHeader &h = plan.header, &m = plan.mask, &d = plan.depth;
    const uint64_t stored = plan.distorted || plan.turned ? h.pixels() * static_cast<uint64_t>(h.channels) : 0;
    const uint64_t mask = m.fileBytes + m.decoderBytes + m.pixels();
    const uint64_t depth = d.fileBytes + d.decoderBytes + 3 * sizeof(uint16_t) * d.pixels();  // stored, undistorted, result
    const uint64_t result = static_cast<uint64_t>(plan.final.width) * static_cast<uint64_t>(plan.final.height) * 4;
    return h.fileBytes + h.decoderBytes + stored + mask + depth + result;
}

Image8 readStored(const Reading& reading, const Plan& plan) {
    Image8 stored(plan.header.size.width, plan.header.size.height, plan.header.channels);
    readImageRows(
        reading.view.image, plan.header,
        [&](int y, std::span<const uint8_t> row) { std::ranges::copy(row, &stored.pixels[stored.index(0, y)]); }, reading.check);
    return stored;
}

Photograph loadColours(const Reading& reading, const Plan& plan) {
    const View& view = reading.view;
    const Image8 mask = reading.mask.empty() ? Image8() : readMask(reading.mask, plan.mask);
    PhotographRows rows({view.name, plan.straight, plan.final},
                        Channels({plan.header.channels, plan.blank}, mask, reading.keepAlpha, reading.options.background));
    if (plan.distorted) {
        rows.addUndistorted(readStored(reading, plan), Source(plan.stored, view.distortion, plan.straight));
    } else if (plan.turned) {
        const Image8 stored = readStored(reading, plan);
        std::vector<uint8_t> row(static_cast<size_t>(plan.stored.width) * static_cast<size_t>(stored.channels));
        for (int y = 0; y < plan.stored.height; ++y) {
            copyShownRow(stored, view.orientation, y, row);
            rows.addStored(y, row);
        }
    } else {
        readImageRows(
            view.image, plan.header, [&](int y, std::span<const uint8_t> row) { rows.addStored(y, row); }, reading.check);
    }
    return rows.take();
}

Photograph loadPhotograph(const Reading& reading, ByteBudget& budget) {
    const Plan plan = planOf(reading);
    const ByteBudget::Share share = budget.take(bytesFor(plan));
    Photograph photograph = loadColours(reading, plan);
    if (reading.depth.empty()) return photograph;
    Image16 values = readGrey16(reading.depth, plan.depth);
    for (uint16_t& value : values.pixels) value = std::max(value, uint16_t{1});  // 0 is known in a file, where it is the farthest
    photograph.depth.values = resampledDepths(values, {plan.stored, reading.view.distortion, plan.straight, plan.final});
    return photograph;
}

/// Files of the views in this folder, if they are wanted; empty paths for views without one.
std::vector<fs::path> wantedFiles(const Dataset& dataset, const std::vector<size_t>& views, std::string_view folder, bool wanted) {
    if (!wanted) return std::vector<fs::path>(views.size());
    std::vector<fs::path> files = findCompanions(dataset, views, folder);
    const auto found = views.size() - static_cast<size_t>(std::ranges::count(files, fs::path()));
    if (found > 0) spdlog::info("{}: {} of {} photographs have one", folder, found, views.size());
    return files;
}

}  // namespace

Photograph downscaled(const Photograph& p, int factor) {
    const bool alpha = p.covers == Coverage::alpha;
    const Image8 mask = p.covers == Coverage::mask ? p.coverage : Image8();
    const auto width = static_cast<size_t>(p.image.width);
    PhotographRows rows({p.name, p.camera, downscaled(p.camera, factor)}, Channels({alpha ? 4 : 3}, mask, alpha, {}));
    for (int y = 0; y < p.image.height; ++y) {
        const std::span colours(&p.image.pixels[p.image.index(0, y)], 3 * width);
        if (!alpha) {
            rows.addStored(y, colours);
            continue;
        }
        const uint8_t* alphas = &p.coverage.pixels[p.coverage.index(0, y)];
        std::vector<uint8_t> row;
        for (size_t x = 0; x < width; ++x) row.insert(row.end(), {colours[3 * x], colours[3 * x + 1], colours[3 * x + 2], alphas[x]});
        rows.addStored(y, row);
    }
    Photograph smaller = rows.take();
    smaller.depth = p.depth;
    if (!p.depth.values.pixels.empty()) smaller.depth.values = downscaledDepths(p.depth.values, smaller.image.width, smaller.image.height);
    return smaller;
}

std::vector<Photograph> loadPhotographs(const Dataset& dataset, const std::vector<size_t>& views, const PhotographOptions& options,
                                        const std::function<void(size_t, size_t)>& progress) {
    SPLAT_CHECK(options.downscale >= 0, "{}", options.downscale);
    const std::vector<fs::path> masks = wantedFiles(dataset, views, "masks", options.masks);
    const std::vector<fs::path> depths = wantedFiles(dataset, views, "depths", options.depths);
    const bool anyMask = std::ranges::any_of(masks, [](const fs::path& mask) { return !mask.empty(); });
    if (anyMask && options.keepAlpha)
        spdlog::warn("{}: has masks, so transparent pixels are composited on the fixed background", dataset.path.string());
    std::vector<Photograph> photographs(views.size());
    ByteBudget budget(options.loadingBytes);
    LoadingProgress loading(progress, views.size());
    parallelFor(views.size(), [&](size_t i) {
        const Reading reading{.view = dataset.views.at(views[i]),
                              .mask = masks[i],
                              .depth = depths[i],
                              .keepAlpha = options.keepAlpha && !anyMask,
                              .options = options,
                              .undistort = dataset.undistort,
                              .check = [&] { loading.tick(); }};
        photographs[i] = loadPhotograph(reading, budget);
        loading.addDone();
    });
    return photographs;
}

}  // namespace splat
