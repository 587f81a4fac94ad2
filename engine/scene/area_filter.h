#pragma once

#include "core/image.h"

namespace splat {

/// Shrinks an image: every new pixel is the exact mean over the area that it covers, also where that cuts old pixels.
/// The new size is at most the old one.
ImageF areaFilter(const ImageF& image, int width, int height);

}  // namespace splat
