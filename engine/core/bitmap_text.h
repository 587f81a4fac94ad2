#pragma once

#include <array>
#include <string_view>

#include <splatwright/core/image.h>

namespace splat {

/// Size of a character's cell in the built-in font, pixels; a glyph leaves the right column and the bottom row empty.
inline constexpr int kGlyphWidth = 6, kGlyphHeight = 8;

/// Where and how large text is drawn.
struct TextPlace {
    int left = 0, top = 0;  ///< of the first character's cell, pixels
    int width = 0;          ///< pixels: characters that would end beyond are left out
    int scale = 1;          ///< whole pixels per font pixel
};

/// Draws printable ASCII; every other byte becomes '?'. Only pixels inside the image are written, in its first three channels.
void drawText(Image8& image, const TextPlace& place, std::string_view text, std::array<uint8_t, 3> colour);

/// Pixels that the text is wide.
int textWidth(std::string_view text, int scale);

}  // namespace splat
