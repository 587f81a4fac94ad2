#pragma once

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Flips the axes with sign -1 (each is 1 or -1): positions, rotations and spherical harmonics. Used to convert a file's frame to that of a PLY.
void flipAxes(Gaussians& gaussians, glm::vec3 signs);

}  // namespace splat
