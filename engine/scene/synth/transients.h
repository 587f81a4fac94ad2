#pragma once

#include <cstdint>

#include <splatwright/core/image.h>

namespace splat::synth {

/// Pastes one to three objects into a photograph that no other one has at this place, as people and cars are that move between shots. Each is a
/// striped ellipse of a fifth to two fifths of the picture's shorter side.
void addTransients(Image8& image, uint64_t seed);

}  // namespace splat::synth
