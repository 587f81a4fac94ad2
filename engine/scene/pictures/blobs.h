#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

/// The logit of an opacity, which is limited to 1e-6..1-1e-6 because 0 and 1 have none.
inline float logitOf(float opacity) {
    constexpr double kLeast = 1e-6;
    const double limited = std::clamp(static_cast<double>(opacity), kLeast, 1 - kLeast);
    return static_cast<float>(std::log(limited / (1 - limited)));
}

}  // namespace splat
