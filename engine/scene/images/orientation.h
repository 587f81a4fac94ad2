#pragma once

#include <cstdint>
#include <span>

#include <splatwright/core/image.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {

/// Size of an image as it is shown.
ImageSize shownSize(ImageSize stored, Orientation orientation);

/// Writes row y of the image as it is shown: interleaved, of the shown width and the stored image's channels.
void copyShownRow(const Image8& stored, Orientation orientation, int y, std::span<uint8_t> row);

}  // namespace splat
