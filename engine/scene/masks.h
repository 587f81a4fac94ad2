#pragma once

#include <filesystem>
#include <vector>

#include "core/image.h"
#include "scene/dataset.h"
#include "scene/image_file.h"

namespace splat {

/// Masks of the chosen views, empty paths where there are none: `masks/NAME.png` (COLMAP's way) or with `.png` in place of NAME's own ending,
/// in the dataset's folder or beside the image folder.
std::vector<std::filesystem::path> findMasks(const Dataset& dataset, const std::vector<size_t>& views);

/// Throws InputError when the mask's size is not that of its photograph as stored; nothing is decoded.
ImageHeader readMaskHeader(const std::filesystem::path& path, ImageSize photograph);

/// A mask as one channel: alpha where the file has any transparency, else its first channel.
Image8 readMask(const std::filesystem::path& path, const ImageHeader& header);

}  // namespace splat
