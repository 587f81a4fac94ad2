#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/formats.h>
#include "scratch.h"

namespace splat::test {

/// Small files of every splat format, put together byte by byte as the sources that the readers cite have it, by no writer of ours.

/// How far a format's rounding may take each attribute; 0 asks for equality.
struct Steps {
    glm::vec3 position{0};
    float rotation = 0;  ///< half the distance of the unit quaternions, a quarter of the angle between
    glm::vec3 logScale{0};
    float opacity = 0;  ///< 0..1
    glm::vec3 dc{0};
    float higher = 0;
};

struct SplatSample {
    std::string name;
    std::string content;
    Gaussians expected;
    Steps steps;
};

inline float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

inline Gaussians randomSplats(size_t count, int degree) {
    Rng rng(31 * count + static_cast<size_t>(degree));
    const auto number = [&](double least, double most) { return static_cast<float>(rng.uniform(least, most)); };
    const auto triple = [&](double least, double most) { return glm::vec3(number(least, most), number(least, most), number(least, most)); };
    Gaussians g;
    g.resize(count, degree);
    for (auto& mean : g.means) mean = triple(-3, 5);
    for (auto& rotation : g.rotations) rotation = glm::normalize(glm::vec4(triple(-1, 1), number(-1, 1)));
    for (auto& scale : g.logScales) scale = triple(-7, 1);
    for (auto& opacity : g.logitOpacities) opacity = number(-4, 4);
    for (auto& coefficient : g.sh) coefficient = triple(-0.9, 0.9);
    return g;
}

/// Of splats that were turned in single precision.
inline constexpr Steps kTurnedSteps{.position = glm::vec3(1e-5f),
                                    .rotation = 1e-5f,
                                    .logScale = glm::vec3(1e-5f),
                                    .opacity = 1e-6f,
                                    .dc = glm::vec3(1e-5f),
                                    .higher = 1e-5f};

/// Attribute by attribute, so that a message says which is wrong.
inline void expectNear(const Gaussians& found, const Gaussians& expected, const Steps& steps) {
    ASSERT_EQ(found.count(), expected.count());
    ASSERT_EQ(found.shDegree, expected.shDegree);
    const auto within = [](glm::vec3 a, glm::vec3 b, glm::vec3 step) {
        const glm::vec3 room = step * 1.001f + (step == glm::vec3(0) ? glm::vec3(0) : 1e-5f * (1.0f + glm::abs(b)));
        return glm::all(glm::lessThanEqual(glm::abs(a - b), room));
    };
    const size_t coefficients = shCoefficients(expected.shDegree);
    for (size_t i = 0; i < expected.count(); ++i) {
        EXPECT_TRUE(within(found.means[i], expected.means[i], steps.position)) << "position of splat " << i;
        EXPECT_TRUE(within(found.logScales[i], expected.logScales[i], steps.logScale)) << "scale of splat " << i;
        EXPECT_NEAR(sigmoid(found.logitOpacities[i]), sigmoid(expected.logitOpacities[i]), steps.opacity * 1.001f)
            << "opacity of splat " << i;
        const glm::vec4 a = found.rotations[i], b = expected.rotations[i];
        EXPECT_LE(0.5f * glm::distance(a, glm::dot(a, b) < 0 ? -b : b), steps.rotation) << "rotation of splat " << i;
        for (size_t k = 0; k < coefficients; ++k) {
            const glm::vec3 step = k == 0 ? steps.dc : glm::vec3(steps.higher);
            EXPECT_TRUE(within(found.sh[i * coefficients + k], expected.sh[i * coefficients + k], step))
                << "coefficient " << k << " of splat " << i;
        }
    }
}

inline std::string plyHeader(size_t count, const std::vector<std::string>& names) {
    std::string text = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", count);
    for (const std::string& name : names) text += "property float " + name + "\n";
    return text + "end_header\n";
}

inline SplatSample plySample(size_t count, int degree) {
    const Gaussians g = randomSplats(count, degree);
    const size_t coefficients = shCoefficients(degree);
    std::vector<std::string> names{"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2"};
    for (size_t i = 0; i < 3 * (coefficients - 1); ++i) names.push_back(fmt::format("f_rest_{}", i));
    for (const char* name : {"opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"}) names.emplace_back(name);
    Bytes bytes;
    for (size_t i = 0; i < count; ++i) {
        bytes.put(g.means[i]).put(glm::vec3(0)).put(g.sh[i * coefficients]);
        for (int channel = 0; channel < 3; ++channel) {
            for (size_t k = 1; k < coefficients; ++k) bytes.put(g.sh[i * coefficients + k][channel]);
        }
        bytes.put(g.logitOpacities[i]).put(g.logScales[i]).put(g.rotations[i]);
    }
    return {fmt::format("degree {}", degree), plyHeader(count, names) + bytes.content(), g, {}};
}

/// The nearest byte to a value in steps.
inline uint8_t toByte(float value) { return static_cast<uint8_t>(std::clamp(std::round(value), 0.0f, 255.0f)); }

inline SplatSample splatSample(size_t count) {
    const Gaussians g = randomSplats(count, 0);
    Bytes bytes;
    for (size_t i = 0; i < count; ++i) {
        bytes.put(g.means[i]).put(glm::exp(g.logScales[i]));
        for (int c = 0; c < 3; ++c) bytes.put(toByte(255 * (0.5f + 0.28209479f * g.sh[i][c])));
        bytes.put(toByte(255 * sigmoid(g.logitOpacities[i])));
        for (int c = 0; c < 4; ++c) bytes.put(toByte(128 + 128 * g.rotations[i][c]));
    }
    return {"records",
            bytes.content(),
            g,
            {.rotation = 0.01f, .logScale = glm::vec3(1e-5f), .opacity = 0.5f / 255, .dc = glm::vec3(0.5f / 255 / 0.282f)}};
}

inline int largestOf(glm::vec4 q) {
    int largest = 0;
    for (int i = 1; i < 4; ++i) {
        if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
    }
    return largest;
}

}  // namespace splat::test
