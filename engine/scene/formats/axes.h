#pragma once

#include <splatwright/scene/gaussians.h>

namespace splat {

/// Flips the axes with sign -1 (each is 1 or -1), to convert a file's frame to that of a PLY: positions, rotations and spherical harmonics (by the
/// parity of each function). Renders by a camera that is flipped too do not change.
void flipAxes(Gaussians& gaussians, glm::vec3 signs);

}  // namespace splat
