#pragma once

#include "splat_samples.h"

namespace splat::test {

/// Round splats at random points with 8-bit colours, each as large as its distance to the three nearest.
inline Gaussians pointSplats(size_t count) {
    Gaussians g = randomSplats(count, 0);
    for (size_t i = 0; i < count; ++i) {
        std::vector<double> squared;
        for (size_t k = 0; k < count; ++k)
            if (k != i) squared.push_back(glm::dot(glm::dvec3(g.means[i] - g.means[k]), glm::dvec3(g.means[i] - g.means[k])));
        std::ranges::sort(squared);
        squared.resize(std::min<size_t>(squared.size(), 3));
        double sum = 0;
        for (const double s : squared) sum += s;
        const double sigma = squared.empty() ? 0.1 : std::sqrt(sum / static_cast<double>(squared.size()));
        g.logScales[i] = glm::vec3(static_cast<float>(std::log(sigma)));
        g.rotations[i] = {1, 0, 0, 0};
        g.logitOpacities[i] = std::log(0.1f / 0.9f);
        const size_t shade = 50 * i % 256;
        g.sh[i] = (glm::vec3(static_cast<float>(shade), 128, 255 - static_cast<float>(shade)) / 255.0f - 0.5f) / 0.28209479f;
    }
    return g;
}

inline glm::ivec3 pointColour(const Gaussians& g, size_t i) { return glm::round(255.0f * (0.5f + 0.28209479f * g.sh[i])); }

/// COLMAP's points3D.bin; each point has been seen by two images.
inline SplatSample colmapPointsSample(size_t count) {
    const Gaussians g = pointSplats(count);
    Bytes bytes;
    bytes.put(uint64_t{count});
    for (size_t i = 0; i < count; ++i) {
        bytes.put(uint64_t{10 + i});
        for (int c = 0; c < 3; ++c) bytes.put(static_cast<double>(g.means[i][c]));
        for (int c = 0; c < 3; ++c) bytes.put(static_cast<uint8_t>(pointColour(g, i)[c]));
        bytes.put(0.5).put(uint64_t{2}).put(uint32_t{1}).put(uint32_t{7}).put(uint32_t{2}).put(uint32_t{9});
    }
    return {"binary", bytes.content(), g, kTurnedSteps};
}

/// COLMAP's points3D.txt.
inline SplatSample colmapTextPointsSample(size_t count) {
    const Gaussians g = pointSplats(count);
    std::string text = fmt::format(
        "# 3D point list with one line of data per point:\n#   POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[]\n"
        "# Number of points: {}, mean track length: 2\n",
        count);
    for (size_t i = 0; i < count; ++i) {
        const glm::ivec3 colour = pointColour(g, i);
        text += fmt::format("{} {} {} {} {} {} {} 0.5 1 7 2 9\n", 10 + i, g.means[i].x, g.means[i].y, g.means[i].z, colour.x, colour.y,
                            colour.z);
    }
    return {"text", text, g, kTurnedSteps};
}

}  // namespace splat::test
