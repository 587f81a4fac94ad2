// FLIP: A Difference Evaluator for Alternating Images (Andersson et al., HPG 2020), for images of low dynamic range.
#include <splatwright/train/evaluate/flip.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <glm/glm.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/images/srgb_curve.h>

namespace splat {

namespace {

constexpr double kColourExponent = 0.7, kFeatureExponent = 0.5;
constexpr double kKnee = 0.4, kKneeValue = 0.95;  // differences up to this part of the largest get this part of 0..1
constexpr double kFeatureWidth = 0.082;           // degrees, of an edge or point that the eye finds at once

// glm's matrices are by columns.
constexpr glm::dmat3 kXyzFromRgb{{10135552.0 / 24577794, 2613072.0 / 12288897, 1425312.0 / 73733382},
                                 {8788810.0 / 24577794, 8788810.0 / 12288897, 8788810.0 / 73733382},
                                 {4435075.0 / 24577794, 887015.0 / 12288897, 70074185.0 / 73733382}};

glm::dvec3 white() { return kXyzFromRgb * glm::dvec3(1); }

/// An opponent space that is linear in light: luminance, red against green, blue against yellow.
glm::dvec3 opponentOf(const glm::dvec3& rgb) {
    const glm::dvec3 xyz = kXyzFromRgb * rgb / white();
    return {116 * xyz.y - 16, 500 * (xyz.x - xyz.y), 200 * (xyz.y - xyz.z)};
}

glm::dvec3 rgbOf(const glm::dvec3& opponent) {
    const double y = (opponent.x + 16) / 116;
    return glm::inverse(kXyzFromRgb) * (glm::dvec3(y + opponent.y / 500, y, y - opponent.z / 200) * white());
}

/// L*a*b* whose chroma grows with lightness.
glm::dvec3 huntOf(const glm::dvec3& rgb) {
    const glm::dvec3 xyz = kXyzFromRgb * rgb / white();
    glm::dvec3 f(0);
    for (int i = 0; i < 3; ++i) {
        constexpr double kDelta = 6.0 / 29;
        f[i] = xyz[i] > kDelta * kDelta * kDelta ? std::cbrt(xyz[i]) : xyz[i] / (3 * kDelta * kDelta) + 4.0 / 29;
    }
    const double lightness = 116 * f.y - 16;
    return {lightness, 0.01 * lightness * 500 * (f.x - f.y), 0.01 * lightness * 200 * (f.y - f.z)};
}

double hyab(const glm::dvec3& a, const glm::dvec3& b) {
    const glm::dvec3 d = a - b;
    return std::abs(d.x) + std::hypot(d.y, d.z);
}

/// The largest difference of colours: of green and blue.
double largestDifference() {
    static const double largest = std::pow(hyab(huntOf({0, 1, 0}), huntOf({0, 0, 1})), kColourExponent);
    return largest;
}

double colourDifference(const glm::dvec3& a, const glm::dvec3& b) {
    const double d = std::pow(hyab(a, b), kColourExponent), knee = kKnee * largestDifference();
    return d < knee ? kKneeValue / knee * d : kKneeValue + (d - knee) / (largestDifference() - knee) * (1 - kKneeValue);
}

using Plane = std::vector<float>;
using Taps = std::vector<float>;  // from -radius to radius

struct Size {
    int width, height;

    size_t count() const { return static_cast<size_t>(width) * static_cast<size_t>(height); }
};

/// Convolves rows with one kernel and columns with another; the border's pixels go on outside.
Plane convolved(const Plane& plane, Size size, const Taps& across, const Taps& down) {
    const int radius = static_cast<int>(across.size() / 2);
    Plane rows(plane.size()), result(plane.size());
    const auto at = [&](int x, int y) { return static_cast<size_t>(y) * static_cast<size_t>(size.width) + static_cast<size_t>(x); };
    parallelEach(static_cast<size_t>(size.height), 16, [&](size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < size.width; ++x) {
            float sum = 0;
            for (int k = -radius; k <= radius; ++k)
                sum += across[static_cast<size_t>(k + radius)] * plane[at(std::clamp(x + k, 0, size.width - 1), y)];
            rows[at(x, y)] = sum;
        }
    });
    parallelEach(static_cast<size_t>(size.height), 16, [&](size_t row) {
        const int y = static_cast<int>(row);
        for (int k = -radius; k <= radius; ++k) {
            const float weight = down[static_cast<size_t>(k + radius)];
            const size_t from = at(0, std::clamp(y + k, 0, size.height - 1)), to = at(0, y);
            for (size_t x = 0; x < static_cast<size_t>(size.width); ++x) result[to + x] += weight * rows[from + x];
        }
    });
    return result;
}

/// exp(-x^2 / (2 deviation^2)) at whole pixels.
Taps gaussian(double deviation, int radius) {
    Taps taps;
    for (int x = -radius; x <= radius; ++x) taps.push_back(static_cast<float>(std::exp(-x * x / (2 * deviation * deviation))));
    return taps;
}

double sum(const Taps& taps) { return std::accumulate(taps.begin(), taps.end(), 0.0); }

Taps scaled(Taps taps, double factor) {
    for (float& tap : taps) tap *= static_cast<float>(factor);
    return taps;
}

/// The eye's contrast sensitivity of a channel as a filter: a sum of terms a sqrt(pi / b) exp(-pi^2 r^2 / b), r in degrees.
struct Sensitivity {
    struct Term {
        double a, b;
    };
    std::vector<Term> terms;
};

std::array<Sensitivity, 3> sensitivities() {
    return {Sensitivity{{{1, 0.0047}}}, Sensitivity{{{1, 0.0053}}}, Sensitivity{{{34.1, 0.04}, {13.5, 0.025}}}};
}

double deviationOf(const Sensitivity::Term& term, double pixelsPerDegree) {
    return std::sqrt(term.b / 2) / std::numbers::pi * pixelsPerDegree;
}

Plane seen(const Plane& plane, Size size, const Sensitivity& sensitivity, double pixelsPerDegree) {
    constexpr double kLargest = 0.04;  // b of all terms: all filters have its radius
    const int radius = static_cast<int>(std::ceil(3 * deviationOf({1, kLargest}, pixelsPerDegree)));
    double total = 0;
    Plane result(plane.size());
    for (const Sensitivity::Term& term : sensitivity.terms) {
        const Taps taps = gaussian(deviationOf(term, pixelsPerDegree), radius);
        const double weight = term.a * std::sqrt(std::numbers::pi / term.b);
        total += weight * sum(taps) * sum(taps);
        const Plane part = convolved(plane, size, scaled(taps, weight), taps);
        for (size_t i = 0; i < part.size(); ++i) result[i] += part[i];
    }
    for (float& value : result) value /= static_cast<float>(total);
    return result;
}

/// Makes positive taps add up to 1 and negative ones to -1.
Taps balanced(Taps taps) {
    double positive = 0, negative = 0;
    for (const float tap : taps) (tap > 0 ? positive : negative) += static_cast<double>(tap);
    for (float& tap : taps) tap /= static_cast<float>(tap > 0 ? positive : -negative);
    return taps;
}

/// Strength of a first or second derivative in both directions.
Plane strength(const Plane& luminance, Size size, const Taps& derivative, const Taps& smooth) {
    Plane x = convolved(luminance, size, derivative, smooth);
    const Plane y = convolved(luminance, size, smooth, derivative);
    for (size_t i = 0; i < x.size(); ++i) x[i] = std::hypot(x[i], y[i]);
    return x;
}

}  // namespace

FlipImage::FlipImage(const Image8& image, double pixelsPerDegree) : width_(image.width), height_(image.height) {
    SPLAT_CHECK(image.channels == 3 && !image.pixels.empty(), "{}x{}x{}", image.width, image.height, image.channels);
    const Size size{width_, height_};
    std::array<Plane, 3> planes;
    planes.fill(Plane(size.count()));
    Plane luminance(size.count());
    std::array<double, 256> light{};
    for (size_t i = 0; i < light.size(); ++i) light[i] = lightOfSrgb(static_cast<double>(i) / 255);
    for (size_t i = 0; i < size.count(); ++i) {
        const uint8_t* const p = &image.pixels[3 * i];
        const glm::dvec3 opponent = opponentOf({light[p[0]], light[p[1]], light[p[2]]});
        for (size_t k = 0; k < 3; ++k) planes[k][i] = static_cast<float>(opponent[static_cast<int>(k)]);
        luminance[i] = static_cast<float>((opponent.x + 16) / 116);
    }
    const auto eye = sensitivities();
    for (size_t k = 0; k < 3; ++k) planes[k] = seen(planes[k], size, eye[k], pixelsPerDegree);
    colour_.resize(3 * size.count());
    parallelEach(size.count(), 1 << 14, [&](size_t i) {
        const glm::dvec3 lab = huntOf(glm::clamp(rgbOf({planes[0][i], planes[1][i], planes[2][i]}), 0.0, 1.0));
        for (size_t k = 0; k < 3; ++k) colour_[3 * i + k] = static_cast<float>(lab[static_cast<int>(k)]);
    });

    const double deviation = 0.5 * kFeatureWidth * pixelsPerDegree;
    const int radius = static_cast<int>(std::ceil(3 * deviation));
    const Taps bell = gaussian(deviation, radius);
    Taps first = bell, second = bell;
    for (int x = -radius; x <= radius; ++x) {
        const auto tap = static_cast<size_t>(x + radius);
        first[tap] *= static_cast<float>(-x);
        second[tap] *= static_cast<float>(x * x / (deviation * deviation) - 1);
    }
    const Taps smooth = scaled(bell, 1 / sum(bell));
    edges_ = strength(luminance, size, balanced(first), smooth);
    points_ = strength(luminance, size, balanced(second), smooth);
}

ImageF flipMap(const FlipImage& a, const FlipImage& b) {
    SPLAT_CHECK(a.width() == b.width() && a.height() == b.height(), "{}x{} against {}x{}", a.width(), a.height(), b.width(), b.height());
    ImageF map(a.width(), a.height(), 1);
    parallelEach(map.pixels.size(), 1 << 14, [&](size_t i) {
        const auto lab = [i](const FlipImage& image) {
            return glm::dvec3(image.colour_[3 * i], image.colour_[3 * i + 1], image.colour_[3 * i + 2]);
        };
        const double features =
            std::max(std::abs(a.edges_[i] - b.edges_[i]), std::abs(a.points_[i] - b.points_[i])) / std::numbers::sqrt2_v<float>;
        map.pixels[i] = static_cast<float>(std::pow(colourDifference(lab(a), lab(b)), 1 - std::pow(features, kFeatureExponent)));
    });
    return map;
}

double flip(const FlipImage& a, const FlipImage& b) {
    const ImageF map = flipMap(a, b);
    return std::accumulate(map.pixels.begin(), map.pixels.end(), 0.0) / static_cast<double>(map.pixels.size());
}

}  // namespace splat
