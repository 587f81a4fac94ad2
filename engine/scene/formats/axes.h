#pragma once

#include <array>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// The signs that each attribute takes on where axes are flipped: to convert between a file's frame and that of a PLY.
struct AxisFlip {
    /// An axis with sign -1 is flipped (each is 1 or -1).
    explicit AxisFlip(glm::vec3 signs);

    glm::vec3 position;
    glm::vec4 rotation;  ///< w, x, y, z
    std::array<float, shCoefficients(kMaxShDegree)> sh;
};

/// Flips the axes with sign -1 (each is 1 or -1): positions, rotations and spherical harmonics.
void flipAxes(Gaussians& gaussians, glm::vec3 signs);

}  // namespace splat
