#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace splat {

/// A picture made of 2D Gaussians, which are called blobs here, one array per attribute. Lengths are pixels of a picture of width x height, with
/// pixel centres at +0.5.
struct Blobs {
    uint32_t width = 0;
    uint32_t height = 0;
    bool summed = false;  ///< opacity * colour is summed over the blobs in any order; else they are blended in order, the front one first
    glm::vec3 background{0};  ///< behind the blended ones, or added to the sum
    std::vector<glm::vec2> centres;
    /// (xx, yx, yy) of the lower triangle L with covariance L * transposed L (Cholesky); xx and yy above 0.
    std::vector<glm::vec3> factors;
    std::vector<glm::vec3> colours;  ///< RGB; any number
    std::vector<float> opacities;    ///< 0..1

    size_t count() const { return centres.size(); }
    void resize(size_t count) {
        centres.resize(count);
        factors.resize(count, {1, 0, 1});
        colours.resize(count);
        opacities.resize(count);
    }
};

/// The blobs of these indices, in their order.
inline Blobs selectedBlobs(const Blobs& blobs, std::span<const uint32_t> indices) {
    Blobs selected{.width = blobs.width, .height = blobs.height, .summed = blobs.summed, .background = blobs.background};
    selected.resize(indices.size());
    for (size_t i = 0; i < indices.size(); ++i) {
        selected.centres[i] = blobs.centres[indices[i]];
        selected.factors[i] = blobs.factors[indices[i]];
        selected.colours[i] = blobs.colours[indices[i]];
        selected.opacities[i] = blobs.opacities[indices[i]];
    }
    return selected;
}

/// The logit of an opacity, which is limited to 1e-6..1-1e-6 because 0 and 1 have none.
inline float logitOf(float opacity) {
    constexpr double kLeast = 1e-6;
    const double limited = std::clamp(static_cast<double>(opacity), kLeast, 1 - kLeast);
    return static_cast<float>(std::log(limited / (1 - limited)));
}

}  // namespace splat
