#include <splatwright/train/session/initialise.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/point_splats.h>
#include <splatwright/scene/gaussians/usable.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/session/covering_subset.h>

namespace splat {

namespace {

PointSplats commonOf(const TrainSettings& settings) {
    return {.shDegree = static_cast<int>(settings.shDegree), .opacity = settings.initOpacity, .scale = settings.initScale};
}

/// Most Gaussians to start from.
size_t startLimit(const TrainSettings& settings) {
    if (settings.maxSplats == 0) return SIZE_MAX;
    const double limit = densifierByName(settings.strategy).startShare * settings.maxSplats;
    return std::max<size_t>(1, static_cast<size_t>(limit));
}

Gaussians fromPoints(const TrainSettings& settings, const std::vector<Point>& points) {
    std::vector<glm::vec3> all;
    for (const Point& point : points) all.push_back(point.position);
    const std::vector<size_t> chosen = coveringSubset(all, startLimit(settings));
    if (chosen.size() < points.size())
        spdlog::info("max_splats={}: starting from {} of the {} points, chosen to cover them", settings.maxSplats, chosen.size(),
                     points.size());
    std::vector<glm::vec3> positions, colours;
    for (const size_t i : chosen) {
        positions.push_back(all[i]);
        colours.push_back(glm::vec3(points[i].colour[0], points[i].colour[1], points[i].colour[2]) / 255.0f);
    }
    return splatsAt(std::move(positions), colours, commonOf(settings));
}

Gaussians fromNothing(const TrainSettings& settings, const Focus& focus) {
    const size_t count = std::min<size_t>(settings.initCount, startLimit(settings));
    if (count < settings.initCount)
        spdlog::info("max_splats={}: starting from {} random Gaussians instead of {}", settings.maxSplats, count, settings.initCount);
    const double halfSize = settings.initExtent * focus.distance;
    Rng rng(settings.seed);
    const auto vector = [&](double low, double high) {
        glm::vec3 v;
        for (int i = 0; i < 3; ++i) v[i] = static_cast<float>(rng.uniform(low, high));
        return v;
    };
    std::vector<glm::vec3> positions(count), colours(count);
    for (size_t i = 0; i < count; ++i) {
        positions[i] = glm::vec3(focus.point) + vector(-halfSize, halfSize);
        colours[i] = vector(0, 1);
    }
    return splatsAt(std::move(positions), colours, commonOf(settings));
}

}  // namespace

Gaussians initialGaussians(const TrainSettings& settings, const std::vector<Point>& points, const Focus& focus) {
    if (settings.init == "random") return fromNothing(settings, focus);
    SPLAT_CHECK(!settings.startsFromFile(), "init is '{}'", settings.init);
    if (!points.empty()) return fromPoints(settings, points);
    spdlog::info("the dataset has no points: starting from random Gaussians");
    return fromNothing(settings, focus);
}

void checkInit(const TrainSettings& settings) {
    if (settings.startsFromFile() && !std::filesystem::exists(settings.init))
        throw InputError("init: found '{}', which is no file, expected sfm, random, or a file of splats", settings.init);
}

Gaussians gaussiansOfFile(const TrainSettings& settings) {
    checkInit(settings);
    Gaussians gaussians = usableOnly(readSplats(settings.init));
    if (gaussians.count() == 0) throw InputError("{}: found no splats that can be drawn, expected some to start from", settings.init);
    if (settings.maxSplats > 0 && gaussians.count() > settings.maxSplats)
        throw InputError("{}: found {} splats, expected at most max_splats, {}", settings.init, gaussians.count(), settings.maxSplats);
    if (gaussians.antialiased != settings.antialiased)
        spdlog::warn("{}: its splats are {}antialiased, and are trained {}: set `antialiased` to keep their look", settings.init,
                     gaussians.antialiased ? "" : "not ", gaussians.antialiased ? "without" : "with it");
    setShDegree(gaussians, static_cast<int>(settings.shDegree));
    gaussians.antialiased = settings.antialiased;
    gaussians.extras.clear();
    return gaussians;
}

}  // namespace splat
