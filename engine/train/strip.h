#pragma once

#include <span>

#include "core/image.h"

namespace splat {

/// Error that the heat map shows as white, as the mean over channels of the absolute difference in 0..1; black is none, and red and yellow
/// lie at one and two thirds. A quarter keeps errors of a few 8-bit steps visible.
inline constexpr float kStripFullError = 0.25F;

/// Photograph | render | error, side by side with thin separators. Images of equal size, 3 channels (a fourth is dropped).
Image8 stripRow(const Image8& photograph, const Image8& render);

/// Rows below one another with thin separators, left-aligned on a dark ground; scaled down by the smallest whole factor that makes it at
/// most maxWidth pixels wide.
Image8 stacked(std::span<const Image8> rows, int maxWidth = 2400);

}  // namespace splat
