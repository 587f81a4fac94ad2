#pragma once

#include "scene/gaussians.h"

namespace splat {

/// Turns round the axes whose sign is -1 (each is 1 or -1), so that a file of another frame comes into a PLY's: positions, rotations and
/// spherical harmonics (by the parity of each function); a render by a camera that goes along does not change.
void flipAxes(Gaussians& gaussians, glm::vec3 signs);

}  // namespace splat
