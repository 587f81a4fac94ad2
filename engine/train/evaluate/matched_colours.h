#pragma once

#include <splatwright/core/image.h>

namespace splat {

/// The render with a gain and an offset per channel that bring it closest to the photograph (least squares), rounded and clamped. For comparisons
/// that differences in exposure must not decide.
Image8 matchedColours(const Image8& render, const Image8& photograph);

}  // namespace splat
