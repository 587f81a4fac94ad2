#include <splatwright/train/session/initialise.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <nanoflann.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/rng.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/session/covering_subset.h>

namespace splat {

namespace {

constexpr size_t kNeighbours = 3;
constexpr float kMinSquaredDistance = 1e-7f;  // as in the reference trainer, so that duplicates of a point get a size
constexpr float kLonely = 0.1f;               // distance of a missing neighbour, training units

struct PointSource {
    const std::vector<glm::vec3>& points;

    size_t kdtree_get_point_count() const { return points.size(); }                                 // NOLINT: nanoflann's name
    float kdtree_get_pt(size_t i, size_t axis) const { return points[i][static_cast<int>(axis)]; }  // NOLINT
    template <class Box>
    bool kdtree_get_bbox(Box&) const {  // NOLINT
        return false;
    }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, PointSource>, PointSource, 3, uint32_t>;

float meanSquaredDistance(const Tree& tree, const glm::vec3& point) {
    std::array<uint32_t, kNeighbours + 1> indices{};  // the point itself is one of them
    std::array<float, kNeighbours + 1> squared{};
    const size_t found = tree.knnSearch(&point.x, squared.size(), indices.data(), squared.data());
    if (found < 2) return kLonely * kLonely;
    float sum = 0;
    for (size_t i = 1; i < found; ++i) sum += squared[i];
    return sum / static_cast<float>(found - 1);
}

std::vector<float> neighbourDistances(const std::vector<glm::vec3>& points) {
    constexpr size_t kChunk = 4096;  // points per thread and step
    const PointSource source{points};
    const Tree tree(3, source);
    std::vector<float> distances(points.size());
    parallelFor((points.size() + kChunk - 1) / kChunk, [&](size_t chunk) {
        const size_t end = std::min(points.size(), (chunk + 1) * kChunk);
        for (size_t i = chunk * kChunk; i < end; ++i)
            distances[i] = std::sqrt(std::max(meanSquaredDistance(tree, points[i]), kMinSquaredDistance));
    });
    return distances;
}

Gaussians gaussiansAt(std::vector<glm::vec3> positions, const std::vector<glm::vec3>& colours, const TrainSettings& settings) {
    const std::vector<float> distances = neighbourDistances(positions);
    const double opacity = settings.initOpacity;
    Gaussians gaussians;
    gaussians.resize(positions.size(), static_cast<int>(settings.shDegree));
    gaussians.means = std::move(positions);
    std::ranges::fill(gaussians.logitOpacities, static_cast<float>(std::log(opacity / (1 - opacity))));
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    for (size_t i = 0; i < gaussians.count(); ++i) {
        // With init_scale 0 the size is clamped, because 0 has no logarithm.
        const double sigma = std::max(settings.initScale * static_cast<double>(distances[i]), 1e-7);
        gaussians.logScales[i] = glm::vec3(static_cast<float>(std::log(sigma)));
        gaussians.sh[i * coefficients] = dcOfColour(colours[i]);
    }
    return gaussians;
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
    return gaussiansAt(std::move(positions), colours, settings);
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
    return gaussiansAt(std::move(positions), colours, settings);
}

}  // namespace

Gaussians initialGaussians(const TrainSettings& settings, const std::vector<Point>& points, const Focus& focus) {
    if (settings.init == "random") return fromNothing(settings, focus);
    if (settings.init != "sfm") throw InputError("init is '{}', expected sfm or random", settings.init);
    if (!points.empty()) return fromPoints(settings, points);
    spdlog::info("the dataset has no points: starting from random Gaussians");
    return fromNothing(settings, focus);
}

}  // namespace splat
