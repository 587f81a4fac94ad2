#pragma once

#include <cstdint>

#include <splatwright/core/image.h>

namespace splat::synth {

/// Changes the colours of a photograph as cameras do between shots: exposure and white balance, darker borders, light that changes from side to
/// side, and a tone curve, each drawn from the seed. `strength`: 0 changes nothing, 1 changes brightness by up to a factor of 2.
void changeColours(Image8& image, uint64_t seed, double strength);

}  // namespace splat::synth
