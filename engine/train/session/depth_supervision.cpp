#include <splatwright/train/session/depth_supervision.h>

#include <algorithm>
#include <map>
#include <string>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/photographs/depth_maps.h>
#include <splatwright/train/parts/depth_settings.h>

namespace splat {

namespace {

/// Why images are not supervised, and their names.
using Problems = std::map<std::string, std::vector<std::string>>;

bool supervised(const Photograph& image) { return !image.depth.values.pixels.empty(); }

void drop(Photograph& image, const std::string& why, Problems& problems) {
    image.depth = {};
    problems[why].push_back(image.name);
}

/// Drops maps whose scale is far from that of the others, as the 3DGS trainer does (a fifth and five times the median).
void dropOutliers(std::vector<Photograph>& images, Problems& problems) {
    constexpr double kMostTimes = 5;
    std::vector<double> scales;
    for (const Photograph& image : images) {
        if (supervised(image)) scales.push_back(image.depth.scale);
    }
    if (scales.empty()) return;
    std::ranges::sort(scales);
    const double median = scales[scales.size() / 2];
    for (Photograph& image : images) {
        if (supervised(image) && (image.depth.scale > kMostTimes * median || kMostTimes * image.depth.scale < median))
            drop(image, "a scale far from the others'", problems);
    }
}

void note(const std::vector<Photograph>& images, const Problems& problems, const std::string& depth) {
    const auto count = std::ranges::count_if(images, supervised);
    std::string text = fmt::format("depth {}: {} of {} training images are supervised", depth, count, images.size());
    for (const auto& [why, names] : problems) text += fmt::format("; {} ({}): {}", why, names.size(), fmt::join(names, ", "));
    spdlog::info("{}", text);
}

}  // namespace

void superviseDepths(std::vector<Photograph>& images, const Dataset& dataset, const std::vector<size_t>& views,
                     const std::vector<Point>& points, const TrainSettings& settings) {
    SPLAT_CHECK(images.size() == views.size(), "{} images, {} views", images.size(), views.size());
    const auto& own = settings.of<DepthSettings>();
    if (!own.supervisesDepth()) return;
    const bool ofMaps = own.depth == "maps";
    const bool hasTracks = std::ranges::any_of(dataset.views, [](const View& view) { return !view.points.empty(); });
    Problems problems;
    for (size_t i = 0; i < images.size(); ++i) {
        Photograph& image = images[i];
        if (ofMaps && !supervised(image)) {
            drop(image, "no file", problems);
            continue;
        }
        const View& view = dataset.views.at(views[i]);
        const auto samples = depthSamples(image.camera, points, hasTracks ? view.points : visiblePoints(image.camera, points));
        if (!ofMaps) image.depth = sparseDepths(image.camera, samples);
        const FitProblem problem = ofMaps ? fitDepths(image.depth, samples) : samples.empty() ? "no points" : nullptr;
        // Nothing is known of pixels that are mostly masked or transparent.
        constexpr uint8_t kHalf = 128;
        std::vector<uint16_t>& depths = image.depth.values.pixels;
        for (size_t p = 0; p < image.coverage.pixels.size() && p < depths.size(); ++p) {
            if (image.coverage.pixels[p] < kHalf) depths[p] = 0;
        }
        if (std::ranges::all_of(depths, [](uint16_t value) { return value == 0; })) image.depth = {};
        if (problem) drop(image, problem, problems);
    }
    if (ofMaps) dropOutliers(images, problems);
    note(images, problems, own.depth);
    if (std::ranges::none_of(images, supervised)) {
        const char* expected = ofMaps ? "depths/NAME.png beside the images that fit the points" : "points that they observe";
        throw InputError("{}: depth is '{}', and no training image has depths, expected {}", printable(dataset.path.string()), own.depth,
                         expected);
    }
}

}  // namespace splat
