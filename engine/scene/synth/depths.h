#pragma once

#include <splatwright/core/image.h>
#include <splatwright/core/rng.h>

namespace splat::synth {

/// Inverse depths as a depth estimator gives them: the nearest is about 65535 and the farthest about 0, so that scale and shift are unknown; both
/// ends are moved inwards by a random part of up to a quarter of the range.
Image16 asEstimated(const ImageF& inverseDepths, Rng& rng);

}  // namespace splat::synth
