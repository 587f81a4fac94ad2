#pragma once

#include <cmath>

#include <glm/gtc/quaternion.hpp>

#include <splatwright/core/rng.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/pictures/blobs.h>

namespace splat::test {

/// The factor of a covariance with these standard deviations (pixels) and this angle of the first axis.
inline glm::vec3 factorOf(double first, double second, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const double xx = std::hypot(first * c, second * s), yx = (first * first - second * second) * c * s / xx;
    return {xx, yx, first * second / xx};
}

inline glm::dmat3 covarianceOf(const Gaussians& g, size_t i) {
    const glm::dvec4 q = glm::normalize(glm::dvec4(g.rotations[i]));
    const glm::dmat3 rotation = glm::mat3_cast(glm::dquat(q.x, q.y, q.z, q.w));
    const glm::dvec3 scale = glm::exp(glm::dvec3(g.logScales[i]));
    glm::dmat3 half = rotation;
    for (int c = 0; c < 3; ++c) half[c] *= scale[c];
    return half * glm::transpose(half);
}

/// Like a fitted picture of 768x512: sizes of about 2 pixels, which depend on the region, and colours that vary smoothly, all with noise.
inline Blobs pictureLikeBlobs(size_t count, bool summed, uint64_t seed = 1) {
    Rng rng(seed);
    Blobs blobs{.width = 768,
                .height = 512,
                .summed = summed,
                .background = {0.25F, 0.5F, 0.75F},
                .centres = {},
                .factors = {},
                .colours = {},
                .opacities = {}};
    blobs.resize(count);
    for (size_t i = 0; i < count; ++i) {
        const double x = rng.uniform(-8, 776), y = rng.uniform(-8, 520);
        const double size = 2 * std::exp(0.3 * std::sin(x / 60) * std::cos(y / 45) + 0.3 * rng.normal()),
                     stretch = std::exp(0.4 * rng.normal());
        const double light = 0.5 + 0.3 * std::sin(x / 50 + 1) * std::cos(y / 70) + 0.05 * rng.normal();
        blobs.centres[i] = {x, y};
        blobs.factors[i] = factorOf(size * stretch, size / stretch, rng.uniform(0, 3.14159));
        for (int c = 0; c < 3; ++c) blobs.colours[i][c] = static_cast<float>(light + 0.1 * std::sin(x / 90 + 2 * c) + 0.02 * rng.normal());
        blobs.opacities[i] = static_cast<float>(1 / (1 + std::exp(-(1 + 1.5 * rng.normal()))));
    }
    return blobs;
}

/// Anything that a file can hold: centres far outside, needles of 1:1000, colours below 0 and far above 1, opacities of 0 and 1.
inline Blobs wildBlobs(size_t count, bool summed, uint64_t seed = 1) {
    Rng rng(seed);
    Blobs blobs = pictureLikeBlobs(count, summed, seed);
    for (size_t i = 0; i < count; ++i) {
        blobs.centres[i] = {1e4 * rng.normal(), 1e3 * rng.normal()};
        const double size = std::exp(3 * rng.normal());
        blobs.factors[i] = factorOf(size, size * std::exp(rng.uniform(-6.9, 6.9)), rng.uniform(0, 3.14159));
        blobs.colours[i] = {50 * rng.normal(), -rng.uniform(), 1e-3 * rng.normal()};
        blobs.opacities[i] = static_cast<float>(i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : rng.uniform());
    }
    return blobs;
}

}  // namespace splat::test
