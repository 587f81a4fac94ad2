#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <splatwright/core/image.h>

namespace splat {

/// Error that the heat map shows as white, as the mean over channels of the absolute difference in 0..1; black is none, and red and yellow
/// lie at one and two thirds. A quarter keeps errors of a few 8-bit steps visible.
inline constexpr float kStripFullError = 0.25F;

/// Ground truth | render | error map, side by side with thin separators. Images of equal size, 3 channels (a fourth is dropped).
Image8 stripRow(const Image8& photograph, const Image8& render);

/// Scales all rows down by the smallest whole factor that makes the widest at most maxWidth pixels wide.
std::vector<Image8> fitted(std::vector<Image8> rows, int maxWidth = 2400);

/// A row of three columns below a band with the view's name and what the columns show. Text that does not fit its column is shortened.
Image8 captioned(const Image8& row, std::string_view name);

/// Rows below one another with thin separators, left-aligned on a dark ground.
Image8 stacked(std::span<const Image8> rows);

}  // namespace splat
