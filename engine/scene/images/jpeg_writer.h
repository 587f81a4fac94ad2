#pragma once

#include <cstddef>
#include <vector>

#include <splatwright/core/image.h>

namespace splat {

/// How a JPEG keeps colour beside brightness: at each pixel, or one per 2x2 pixels, in about two thirds of the bytes.
enum class JpegColours { full, halved };

/// Encodes 3 channels, or the first 3 of 4. quality: libjpeg's, 1 to 100. Throws Error if it cannot be encoded.
std::vector<std::byte> encodedJpeg(const Image8& image, int quality, JpegColours colours);

}  // namespace splat
