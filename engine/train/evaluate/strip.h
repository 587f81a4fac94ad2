#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <splatwright/core/image.h>

namespace splat {

/// Mean absolute difference of the channels, in 0..1, that the error map shows as white; 0 is black, one third red, two thirds yellow. A quarter
/// keeps errors of a few 8-bit steps visible.
inline constexpr float kStripFullError = 0.25F;

/// Ground truth, render and error map side by side. Images must have the same size and 3 channels (a fourth is ignored).
Image8 stripRow(const Image8& photograph, const Image8& render);

/// Scales all rows down by the smallest integer factor with which the widest fits maxWidth pixels.
std::vector<Image8> fitted(std::vector<Image8> rows, int maxWidth = 2400);

/// Adds a band above a row, with the view's name and the labels of the three columns. Text that does not fit its column is shortened.
Image8 captioned(const Image8& row, std::string_view name);

/// Stacks rows vertically, left-aligned on a dark background.
Image8 stacked(std::span<const Image8> rows);

}  // namespace splat
