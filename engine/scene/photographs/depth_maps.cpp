#include <splatwright/scene/photographs/depth_maps.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/median.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/scene/photographs/undistort.h>

namespace splat {
namespace {

constexpr double kHighestValue = 65535;  // of a map
constexpr size_t kFewestSamples = 10;    // of a fit; make_depth_scale.py of 3DGS asks for more than 10

/// Half-open range of the source pixels that a pixel covers.
std::pair<int, int> coveredBy(int pixel, int from, int to) {
    const auto at = [&](int64_t p) { return static_cast<int>(p * from / to); };
    return {at(pixel), std::max(at(pixel) + 1, at(int64_t{pixel} + 1))};
}

/// Rounded mean of the known values; 0 if there are none.
uint16_t meanOfKnown(const Image16& values, std::pair<int, int> columns, std::pair<int, int> rows) {
    uint64_t sum = 0, known = 0;
    for (int y = rows.first; y < rows.second; ++y) {
        for (int x = columns.first; x < columns.second; ++x) {
            const uint16_t value = values.pixels[values.index(x, y)];
            sum += value;
            known += value > 0 ? 1 : 0;
        }
    }
    return known > 0 ? static_cast<uint16_t>((sum + known / 2) / known) : uint16_t{0};
}

uint16_t nearest(const Image16& values, glm::dvec2 place) {
    const auto pixel = [](double at, int size) { return static_cast<int>(std::clamp(std::floor(at), 0.0, size - 1.0)); };
    return values.pixels[values.index(pixel(place.x, values.width), pixel(place.y, values.height))];
}

Image16 straightened(const Image16& values, const DepthResampling& r) {
    const Source source(r.stored, r.distortion, r.straight);
    Image16 straight(r.straight.width, r.straight.height, 1);
    for (int y = 0; y < straight.height; ++y) {
        for (int x = 0; x < straight.width; ++x) {
            const Source::Place place = source.of(x, y);
            straight.at(x, y)[0] = place.seen ? nearest(values, place.at) : uint16_t{0};
        }
    }
    return straight;
}

/// The point's pixel and inverse depth, if it is in the image.
std::optional<DepthSample> sampleOf(const Camera& camera, const Point& point) {
    constexpr double kNear = 1e-6;  // far below the near plane in any frame
    const glm::dvec3 p = camera.rotation * glm::dvec3(point.position) + camera.translation;
    if (!(p.z > kNear)) return {};
    const double x = std::floor(camera.fx * p.x / p.z + camera.cx), y = std::floor(camera.fy * p.y / p.z + camera.cy);
    if (!(x >= 0 && x < camera.width && y >= 0 && y < camera.height)) return {};
    return DepthSample{static_cast<int>(x), static_cast<int>(y), 1 / p.z};
}

struct Pair {
    double value = 0;         ///< of the map
    double inverseDepth = 0;  ///< of the point
};

struct Line {
    double scale = 0, shift = 0;
    double residual(const Pair& pair) const { return pair.value * scale + shift - pair.inverseDepth; }
};

/// Median and mean absolute deviation of a member.
std::pair<double, double> spreadOf(std::span<const Pair> pairs, double Pair::*member) {
    std::vector<double> values;
    for (const Pair& pair : pairs) values.push_back(pair.*member);
    const double median = medianOf(values);
    double sum = 0;
    for (const double value : values) sum += std::abs(value - median);
    return {median, sum / static_cast<double>(values.size())};
}

/// Weighted least squares; a pair weighs less the farther it is from the line before.
Line refitted(std::span<const Pair> pairs, const Line& line, double smallest) {
    double w = 0, v = 0, d = 0;
    std::vector<double> weights;
    for (const Pair& pair : pairs) {
        const double weight = 1 / std::max(std::abs(line.residual(pair)), smallest);
        weights.push_back(weight);
        w += weight;
        v += weight * pair.value;
        d += weight * pair.inverseDepth;
    }
    double squares = 0, products = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
        const double fromMean = pairs[i].value - v / w;
        squares += weights[i] * fromMean * fromMean;
        products += weights[i] * fromMean * (pairs[i].inverseDepth - d / w);
    }
    const double scale = products / squares;
    return {scale, d / w - scale * v / w};
}

}  // namespace

Image16 downscaledDepths(const Image16& values, int width, int height) {
    Image16 small(width, height, 1);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            small.at(x, y)[0] = meanOfKnown(values, coveredBy(x, values.width, width), coveredBy(y, values.height, height));
    }
    return small;
}

Image16 resampledDepths(const Image16& values, const DepthResampling& r) {
    SPLAT_CHECK(values.width == r.stored.width && values.height == r.stored.height, "map {}x{}, camera {}x{}", values.width, values.height,
                r.stored.width, r.stored.height);
    const Image16 straight = r.distortion.any() ? straightened(values, r) : values;
    return downscaledDepths(straight, r.final.width, r.final.height);
}

std::vector<DepthSample> depthSamples(const Camera& camera, std::span<const Point> points, std::span<const uint32_t> observed) {
    std::vector<DepthSample> samples;
    for (const uint32_t point : observed) {
        if (const auto sample = sampleOf(camera, points[point])) samples.push_back(*sample);
    }
    return samples;
}

std::vector<uint32_t> visiblePoints(const Camera& camera, std::span<const Point> points) {
    constexpr int kCellsAcross = 32;  // along the longer side
    constexpr double kFarther = 1.1;  // than the nearest of its cell
    const int cell = std::max(1, std::max(camera.width, camera.height) / kCellsAcross);
    std::map<std::pair<int, int>, double> nearest;
    std::vector<std::pair<uint32_t, DepthSample>> inImage;
    for (uint32_t i = 0; i < points.size(); ++i) {
        const auto sample = sampleOf(camera, points[i]);
        if (!sample) continue;
        inImage.emplace_back(i, *sample);
        double& inverse = nearest[{sample->x / cell, sample->y / cell}];
        inverse = std::max(inverse, sample->inverseDepth);
    }
    std::vector<uint32_t> visible;
    for (const auto& [point, sample] : inImage) {
        if (sample.inverseDepth * kFarther >= nearest[{sample.x / cell, sample.y / cell}]) visible.push_back(point);
    }
    return visible;
}

DepthMap sparseDepths(const Camera& camera, std::span<const DepthSample> samples) {
    if (samples.empty()) return {};
    constexpr double kNearest = 10;  // times the median inverse depth: nearer points, often wrong, would take the range from the others
    std::vector<double> inverseDepths;
    for (const DepthSample& sample : samples) inverseDepths.push_back(sample.inverseDepth);
    const double highest = kNearest * medianOf(inverseDepths);
    DepthMap map{.values = Image16(camera.width, camera.height, 1), .scale = highest / kHighestValue};
    for (const DepthSample& sample : samples) {
        if (sample.inverseDepth > highest) continue;
        uint16_t& value = map.values.at(sample.x, sample.y)[0];
        value = std::max(value, static_cast<uint16_t>(std::max(1L, std::lround(sample.inverseDepth / map.scale))));
    }
    return map;
}

FitProblem fitDepths(DepthMap& map, std::span<const DepthSample> samples) {
    constexpr int kRounds = 30;
    constexpr double kLeastSpread = 1e-3;  // of the inverse depths, relative to their median: a plane seen head-on has no scale
    constexpr double kMostResidual = 0.5;  // median, relative to the mean absolute deviation of the inverse depths
    constexpr double kSmallest = 1e-6;     // residual, relative to the same
    std::vector<Pair> pairs;
    for (const DepthSample& sample : samples) {
        const uint16_t known = map.values.at(sample.x, sample.y)[0];
        if (known > 0) pairs.push_back({static_cast<double>(known), sample.inverseDepth});
    }
    if (pairs.size() < kFewestSamples) return "fewer than 10 points";
    const auto [value, valueSpread] = spreadOf(pairs, &Pair::value);
    const auto [inverse, inverseSpread] = spreadOf(pairs, &Pair::inverseDepth);
    if (valueSpread == 0 || inverseSpread < kLeastSpread * inverse) return "points without relief";
    Line line{inverseSpread / valueSpread, inverse - value * inverseSpread / valueSpread};
    for (int round = 0; round < kRounds; ++round) line = refitted(pairs, line, kSmallest * inverseSpread);
    if (!(line.scale > 0)) return "a scale that is not positive";
    std::vector<double> residuals;
    for (const Pair& pair : pairs) residuals.push_back(std::abs(line.residual(pair)));
    if (!(medianOf(residuals) <= kMostResidual * inverseSpread)) return "points that disagree";
    map.scale = line.scale;
    map.shift = line.shift;
    return nullptr;
}

}  // namespace splat
