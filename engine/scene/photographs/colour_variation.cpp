#include <splatwright/scene/photographs/colour_variation.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <splatwright/core/threads.h>
#include <splatwright/scene/photographs/colour_offset.h>

namespace splat {

namespace {

constexpr size_t kNeighbours = 3;
constexpr size_t kMostPoints = 100'000;  // more than fill all cells

struct Sample {
    glm::dvec3 position, direction;
    ColourOffset offset;
};

/// Every n-th point.
std::vector<Point> thinned(std::span<const Point> points) {
    const size_t stride = (points.size() + kMostPoints - 1) / kMostPoints;
    std::vector<Point> some;
    for (size_t i = 0; i < points.size(); i += stride) some.push_back(points[i]);
    return some;
}

std::vector<Sample> samplesOf(std::span<const Photograph> photographs, std::span<const Point> points) {
    std::vector<std::optional<ColourOffset>> offsets(photographs.size());
    parallelFor(offsets.size(), [&](size_t i) { offsets[i] = colourOffset(photographs[i], points); });
    std::vector<Sample> samples;
    for (size_t i = 0; i < offsets.size(); ++i) {
        const Camera& camera = photographs[i].camera;
        if (offsets[i]) samples.push_back({camera.position(), glm::transpose(camera.rotation)[2], *offsets[i]});
    }
    return samples;
}

double squaredDistance(const Sample& a, const Sample& b) {
    const glm::dvec3 moved = a.position - b.position, turned = a.direction - b.direction;
    return glm::dot(moved, moved) + glm::dot(turned, turned);
}

/// The samples nearest to one, without it.
std::vector<const Sample*> nearest(const std::vector<Sample>& samples, const Sample& to) {
    std::vector<const Sample*> others;
    for (const Sample& sample : samples) {
        if (&sample != &to) others.push_back(&sample);
    }
    std::ranges::partial_sort(others, others.begin() + kNeighbours, {}, [&](const Sample* sample) { return squaredDistance(*sample, to); });
    others.resize(kNeighbours);
    return others;
}

/// An estimate of the squared difference from shot to shot, and how much it counts.
struct Estimate {
    double squared = 0;  ///< below 0 where chance alone explains more
    double weight = 0;
};

Estimate estimateOf(const std::vector<Sample>& samples, const Sample& sample) {
    constexpr double kTypical = 0.04;  // a difference that matters: smaller errors add little to what a sample tells
    constexpr double kCount = kNeighbours;
    glm::dvec3 difference = sample.offset.logRatio;
    double variance = sample.offset.variance;
    for (const Sample* other : nearest(samples, sample)) {
        difference -= other->offset.logRatio / kCount;
        variance += other->offset.variance / (kCount * kCount);
    }
    // The mean of the neighbours differs, too.
    return {(glm::dot(difference, difference) / 3 - variance) / (1 + 1 / kCount), 1 / (variance + kTypical * kTypical)};
}

}  // namespace

ColourVariation colourVariation(std::span<const Photograph> photographs, std::span<const Point> points) {
    const bool coloured = std::ranges::any_of(points, [&](const Point& point) { return point.colour != points.front().colour; });
    if (!coloured) return {};
    const std::vector<Sample> samples = samplesOf(photographs, thinned(points));
    if (samples.size() < ColourVariation::kFewestCompared) return {samples.size(), {}};
    std::vector<Estimate> estimates;
    for (const Sample& sample : samples) estimates.push_back(estimateOf(samples, sample));
    std::ranges::sort(estimates, {}, &Estimate::squared);
    estimates.resize(estimates.size() - estimates.size() / 10);
    double sum = 0, weights = 0;
    for (const Estimate& estimate : estimates) {
        sum += estimate.weight * estimate.squared;
        weights += estimate.weight;
    }
    return {samples.size(), std::sqrt(std::max(0.0, sum / weights))};
}

}  // namespace splat
