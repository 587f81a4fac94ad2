#pragma once

#include <string>
#include <string_view>

namespace splat::app {

inline constexpr int kSvgCharacter = 7;  ///< pixels: width of a wide character of the charts' font

/// An <svg> element of this size, pixels.
std::string svgOf(int width, int height, std::string_view content);

/// `anchor`: start, middle or end. `more`: further attributes.
std::string svgText(double x, double y, const char* anchor, std::string_view content, std::string_view more = "");

/// A line.
std::string svgRule(double x1, double y1, double x2, double y2, const char* colour);

/// Text for HTML and SVG, also in attributes.
std::string escapedMarkup(std::string_view text);

}  // namespace splat::app
