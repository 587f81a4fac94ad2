#include <splatwright/prepare/gps_frame.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <glm/gtc/quaternion.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/median.h>
#include <splatwright/core/rng.h>

namespace splat::prepare {

using glm::dmat3;
using glm::dvec3;

namespace {

constexpr int kDraws = 500;             // with half of the positions wrong, a triple of right ones is drawn with probability 1 - (7/8)^500
constexpr int kRounds = 30;             // of reweighting
constexpr double kLine = 0.05;          // spread beside a line, per spread along it, below which the turn around it is not determined
constexpr double kMostResidual = 0.25;  // per spread of the positions
constexpr double kTukey = 4.685;        // 95 % as exact as least squares where errors are Gaussian (Holland and Welsch 1977)
constexpr double kDeviations = 1.4826;  // of a Gaussian per median of absolute values

/// Earth-centred coordinates on WGS 84's ellipsoid, metres.
dvec3 earthCentred(const GeoPosition& p, double altitude) {
    constexpr double kEquator = 6'378'137, kFlattening = 1 / 298.257223563, kEccentricity2 = kFlattening * (2 - kFlattening);
    const double latitude = glm::radians(p.latitude), longitude = glm::radians(p.longitude);
    const double normal = kEquator / std::sqrt(1 - kEccentricity2 * std::pow(std::sin(latitude), 2));
    return {(normal + altitude) * std::cos(latitude) * std::cos(longitude), (normal + altitude) * std::cos(latitude) * std::sin(longitude),
            (normal * (1 - kEccentricity2) + altitude) * std::sin(latitude)};
}

/// The median of each coordinate: near the cameras even if some positions are wrong. Longitudes are compared across the date line.
GeoPosition middleOf(std::span<const GpsCamera> cameras) {
    std::vector<double> latitudes, longitudes, altitudes;
    const double first = cameras.front().position.longitude;
    for (const GpsCamera& camera : cameras) {
        latitudes.push_back(camera.position.latitude);
        longitudes.push_back(first + std::remainder(camera.position.longitude - first, 360.0));
        if (camera.position.altitude) altitudes.push_back(*camera.position.altitude);
    }
    return {medianOf(latitudes), std::remainder(medianOf(longitudes), 360.0), altitudes.empty() ? 0 : medianOf(altitudes)};
}

struct Pairs {
    std::vector<dvec3> from, to;
    size_t size() const { return from.size(); }
};

std::vector<double> residualsOf(const Pairs& pairs, const Similarity& similarity) {
    std::vector<double> residuals;
    for (size_t i = 0; i < pairs.size(); ++i) residuals.push_back(glm::distance(similarity(pairs.from[i]), pairs.to[i]));
    return residuals;
}

dvec3 meanOf(const std::vector<dvec3>& points, const std::vector<double>& weights) {
    dvec3 sum(0);
    double all = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        sum += weights[i] * points[i];
        all += weights[i];
    }
    return sum / all;
}

/// Root mean square of the distances from the mean along the longest axis, and beside it.
struct Spread {
    double along = 0, beside = 0;
    double all() const { return std::hypot(along, beside); }
};

Spread spreadOf(const std::vector<dvec3>& points, const std::vector<double>& weights) {
    const dvec3 mean = meanOf(points, weights);
    dmat3 moments(0);
    double sum = 0;
    for (size_t i = 0; i < points.size(); ++i) {
        moments += weights[i] * glm::outerProduct(points[i] - mean, points[i] - mean);
        sum += weights[i];
    }
    moments /= sum;
    const double trace = moments[0][0] + moments[1][1] + moments[2][2];
    dvec3 axis(0.62, 0.58, 0.53);
    for (int i = 0; i < 200 && trace > 0; ++i) axis = glm::normalize(moments * axis + 1e-12 * trace * axis);
    const double along = glm::dot(axis, moments * axis);
    return {std::sqrt(std::max(along, 0.0)), std::sqrt(std::max(trace - along, 0.0))};
}

/// The unit quaternion q = (w, x, y, z) with the largest q^T N q, by power iteration on N with its spectrum shifted above zero.
glm::dquat largestOf(const std::array<std::array<double, 4>, 4>& n, double shift) {
    std::array<double, 4> q{0.5, 0.6, 0.4, 0.5};
    for (int step = 0; step < 3000; ++step) {
        std::array<double, 4> next{};
        double length = 0;
        for (size_t i = 0; i < 4; ++i) {
            next[i] = shift * q[i];
            for (size_t j = 0; j < 4; ++j) next[i] += n[i][j] * q[j];
            length += next[i] * next[i];
        }
        for (size_t i = 0; i < 4; ++i) q[i] = next[i] / std::sqrt(length);
    }
    return {q[0], q[1], q[2], q[3]};
}

/// Weighted least squares (Umeyama 1991), the rotation by quaternions (Horn 1987).
Similarity leastSquares(const Pairs& pairs, const std::vector<double>& weights) {
    const dvec3 a = meanOf(pairs.from, weights), b = meanOf(pairs.to, weights);
    dmat3 s(0);  // s[c][r]: products of the r-th coordinate before and the c-th after
    double spread = 0, norm = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
        s += weights[i] * glm::outerProduct(pairs.from[i] - a, pairs.to[i] - b);
        spread += weights[i] * glm::dot(pairs.from[i] - a, pairs.from[i] - a);
    }
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) norm += std::abs(s[c][r]);
    const double xx = s[0][0], yy = s[1][1], zz = s[2][2], xy = s[1][0], yx = s[0][1], xz = s[2][0], zx = s[0][2], yz = s[2][1],
                 zy = s[1][2];
    Similarity found;
    found.rotation = glm::mat3_cast(largestOf({{{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                                                {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                                                {zx - xz, xy + yx, yy - xx - zz, yz + zy},
                                                {xy - yx, zx + xz, yz + zy, zz - xx - yy}}},
                                              2 * norm));
    double along = 0;
    for (size_t i = 0; i < pairs.size(); ++i) along += weights[i] * glm::dot(pairs.to[i] - b, found.rotation * (pairs.from[i] - a));
    found.scale = along / spread;
    found.translation = b - found.scale * (found.rotation * a);
    return found;
}

/// Right-angled axes: along the first side of a triangle, and its normal. Nothing for a line.
std::optional<dmat3> axesOf(const dvec3& a, const dvec3& b, const dvec3& c) {
    const dvec3 side = b - a, normal = glm::cross(side, c - a);
    if (glm::length(normal) < 1e-9 * glm::dot(side, side) || glm::length(side) == 0) return std::nullopt;
    const dvec3 x = glm::normalize(side), z = glm::normalize(normal);
    return dmat3(x, glm::cross(z, x), z);
}

/// Takes a triangle's middle and plane to another's.
std::optional<Similarity> ofTriple(const Pairs& pairs, const std::array<size_t, 3>& triple) {
    const auto corners = [&](const std::vector<dvec3>& points) {
        return std::array{points[triple[0]], points[triple[1]], points[triple[2]]};
    };
    const auto from = corners(pairs.from), to = corners(pairs.to);
    const auto before = axesOf(from[0], from[1], from[2]), after = axesOf(to[0], to[1], to[2]);
    if (!before || !after) return std::nullopt;
    const auto perimeter = [](const auto& p) { return glm::distance(p[0], p[1]) + glm::distance(p[1], p[2]) + glm::distance(p[2], p[0]); };
    const dvec3 a = (from[0] + from[1] + from[2]) / 3.0, b = (to[0] + to[1] + to[2]) / 3.0;
    Similarity found{.rotation = *after * glm::transpose(*before), .scale = perimeter(to) / perimeter(from)};
    found.translation = b - found.scale * (found.rotation * a);
    return found;
}

Similarity leastMedian(const Pairs& pairs) {
    Similarity best = leastSquares(pairs, std::vector<double>(pairs.size(), 1.0));
    double least = medianOf(residualsOf(pairs, best));
    Rng rng(1);
    for (int draw = 0; draw < kDraws; ++draw) {
        const auto found = ofTriple(pairs, {rng.below(pairs.size()), rng.below(pairs.size()), rng.below(pairs.size())});
        if (!found) continue;
        const double median = medianOf(residualsOf(pairs, *found));
        if (median < least) std::tie(best, least) = std::pair(*found, median);
    }
    return best;
}

std::vector<double> tukeyWeights(const std::vector<double>& residuals, double limit) {
    std::vector<double> weights;
    for (const double residual : residuals) weights.push_back(residual < limit ? std::pow(1 - std::pow(residual / limit, 2), 2) : 0);
    return weights;
}

void requireTriangle(const Pairs& pairs) {
    const Spread spread = spreadOf(pairs.from, std::vector<double>(pairs.size(), 1.0));
    if (spread.beside >= kLine * spread.along && spread.along > 0) return;
    throw InputError("GPS: the {} cameras with a position are on a line, expected some beside it: a turn around the line is not determined",
                     pairs.size());
}

void requireFit(const GpsFit& fit, double spread) {
    if (2 * fit.used >= fit.positions && fit.used >= kFewestPositions && fit.rms <= kMostResidual * spread) return;
    throw InputError(
        "GPS: the positions do not fit the cameras: {} of {} agree within {:.3g} m, and are spread over {:.3g} m; expected at least half "
        "of them, "
        "within a quarter of their spread. A known distance between two photographs gives metres as well",
        fit.used, fit.positions, fit.rms, spread);
}

}  // namespace

dvec3 localMetres(const GeoPosition& position, const GeoPosition& origin) {
    const double base = origin.altitude.value_or(0), latitude = glm::radians(origin.latitude), longitude = glm::radians(origin.longitude);
    const dvec3 step = earthCentred(position, position.altitude.value_or(base)) - earthCentred(origin, base);
    const dvec3 east(-std::sin(longitude), std::cos(longitude), 0);
    const dvec3 up(std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude));
    return {glm::dot(east, step), glm::dot(glm::cross(up, east), step), glm::dot(up, step)};
}

GpsFit fitGps(std::span<const GpsCamera> cameras) {
    if (cameras.size() < kFewestPositions)
        throw InputError("GPS: found {} registered photographs with a position, expected at least {}", cameras.size(), kFewestPositions);
    GpsFit fit{.origin = middleOf(cameras), .positions = cameras.size()};
    Pairs pairs;
    for (const GpsCamera& camera : cameras) {
        const dvec3 metres = localMetres(camera.position, fit.origin);
        pairs.from.push_back(camera.centre);
        pairs.to.emplace_back(metres.x, -metres.z, metres.y);
    }
    requireTriangle(pairs);
    fit.similarity = leastMedian(pairs);
    const double few = 1 + 5.0 / static_cast<double>(std::max<size_t>(cameras.size() - 3, 1));  // Rousseeuw's correction for few positions
    const double scale = kDeviations * few * medianOf(residualsOf(pairs, fit.similarity));
    const double least = 1e-9 * spreadOf(pairs.to, std::vector<double>(pairs.size(), 1.0)).all();
    const double limit = kTukey * std::max(scale, least);
    std::vector<double> weights;
    for (int round = 0; round < kRounds; ++round) {
        weights = tukeyWeights(residualsOf(pairs, fit.similarity), limit);
        fit.similarity = leastSquares(pairs, weights);
    }
    const std::vector<double> residuals = residualsOf(pairs, fit.similarity);
    double squares = 0;
    for (size_t i = 0; i < residuals.size(); ++i) {
        if (weights[i] == 0) continue;
        ++fit.used;
        squares += residuals[i] * residuals[i];
        fit.largest = std::max(fit.largest, residuals[i]);
    }
    fit.median = medianOf(residuals);
    fit.rms = std::sqrt(squares / static_cast<double>(std::max<size_t>(fit.used, 1)));
    requireFit(fit, spreadOf(pairs.to, weights).all());
    return fit;
}

}  // namespace splat::prepare
