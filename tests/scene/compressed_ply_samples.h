#pragma once

#include "splat_samples.h"

namespace splat::test {

/// Value in 0..1 in so many bits.
inline uint32_t toBits(float value, int bits) {
    const float most = std::ldexp(1.0f, bits) - 1;
    return static_cast<uint32_t>(std::clamp(std::floor(value * most + 0.5f), 0.0f, most));
}

inline uint32_t pack111011(glm::vec3 v) { return toBits(v.x, 11) << 21u | toBits(v.y, 10) << 11u | toBits(v.z, 11); }

inline uint32_t packRotation(glm::vec4 q) {
    const int largest = largestOf(q);
    if (q[largest] < 0) q = -q;
    auto word = static_cast<uint32_t>(largest);
    for (int i = 0; i < 4; ++i) {
        if (i != largest) word = word << 10u | toBits(q[i] / std::sqrt(2.0f) + 0.5f, 10);
    }
    return word;
}

/// What a compressed PLY is made of; tests change a part and put it together.
struct CompressedPly {
    std::string format = "binary_little_endian";
    size_t splats = 0, chunks = 0, shRows = 0;
    bool colourBounds = true;
    int degree = 0;
    std::string word = "uint", byte = "uchar";
    std::string chunkRows{}, vertexRows{}, higherRows{};

    std::string content() const {
        std::string text = fmt::format("ply\nformat {} 1.0\nelement chunk {}\n", format, chunks);
        const auto add = [&](const std::string& type, const std::string& name) { text += fmt::format("property {} {}\n", type, name); };
        for (const char* name : {"min_x", "min_y", "min_z", "max_x", "max_y", "max_z", "min_scale_x", "min_scale_y", "min_scale_z",
                                 "max_scale_x", "max_scale_y", "max_scale_z"}) {
            add("float", name);
        }
        for (const char* name : {"min_r", "min_g", "min_b", "max_r", "max_g", "max_b"}) {
            if (colourBounds) add("float", name);
        }
        text += fmt::format("element vertex {}\n", splats);
        for (const char* name : {"packed_position", "packed_rotation", "packed_scale", "packed_color"}) add(word, name);
        if (degree > 0) text += fmt::format("element sh {}\n", shRows);
        for (size_t i = 0; i < 3 * (shCoefficients(degree) - 1); ++i) add(byte, fmt::format("f_rest_{}", i));
        return text + "end_header\n" + chunkRows + vertexRows + higherRows;
    }
};

struct Bounds {
    glm::vec3 low{1e9f}, high{-1e9f};
    void add(glm::vec3 v) { low = glm::min(low, v), high = glm::max(high, v); }
    glm::vec3 fraction(glm::vec3 v) const { return (v - low) / glm::max(high - low, 1e-9f); }
};

inline glm::vec3 colourOf(glm::vec3 dc) { return 0.5f + 0.28209479f * dc; }

/// Chunks of 256, each with bounds of its own.
inline CompressedPly compressedPly(const Gaussians& g) {
    CompressedPly file{.splats = g.count(), .chunks = (g.count() + 255) / 256, .shRows = g.count(), .degree = g.shDegree};
    const size_t coefficients = shCoefficients(g.shDegree);
    Bytes chunks, vertices, higher;
    for (size_t first = 0; first < g.count(); first += 256) {
        const size_t end = std::min(g.count(), first + 256);
        Bounds position, scale, colour;
        for (size_t i = first; i < end; ++i)
            position.add(g.means[i]), scale.add(g.logScales[i]), colour.add(colourOf(g.sh[i * coefficients]));
        chunks.put(position.low).put(position.high).put(scale.low).put(scale.high).put(colour.low).put(colour.high);
        for (size_t i = first; i < end; ++i) {
            const glm::vec3 rgb = colour.fraction(colourOf(g.sh[i * coefficients]));
            vertices.put(pack111011(position.fraction(g.means[i]))).put(packRotation(g.rotations[i]));
            vertices.put(pack111011(scale.fraction(g.logScales[i])));
            vertices.put(toBits(rgb.x, 8) << 24u | toBits(rgb.y, 8) << 16u | toBits(rgb.z, 8) << 8u |
                         toBits(sigmoid(g.logitOpacities[i]), 8));
            for (int channel = 0; channel < 3; ++channel) {
                for (size_t k = 1; k < coefficients; ++k) {
                    higher.put(static_cast<uint8_t>(256 * (g.sh[i * coefficients + k][channel] / 8 + 0.5f)));
                }
            }
        }
    }
    file.chunkRows = chunks.content(), file.vertexRows = vertices.content(), file.higherRows = higher.content();
    return file;
}

inline SplatSample compressedPlySample(size_t count, int degree) {
    const Gaussians g = randomSplats(count, degree);
    // Half a step of the widest range that the splats can have: 8 in position and scale, 0.51 in colour.
    const glm::vec3 step = 8.01f * 0.5f / glm::vec3(2047, 1023, 2047);
    return {
        fmt::format("degree {}, {} splats", degree, count),
        compressedPly(g).content(),
        g,
        {.position = step, .rotation = 0.002f, .logScale = step, .opacity = 0.5f / 255, .dc = glm::vec3(0.004f), .higher = 0.5f * 8 / 256}};
}

}  // namespace splat::test
