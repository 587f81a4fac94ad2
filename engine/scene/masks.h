#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/core/image.h>
#include <splatwright/scene/dataset.h>
#include <splatwright/scene/image_file.h>

namespace splat {

/// Mask files of the chosen views; empty paths for views without one: `masks/NAME.png` (as in COLMAP) or with `.png` in place of NAME's ending, in
/// the dataset's folder or beside the image folder.
std::vector<std::filesystem::path> findMasks(const Dataset& dataset, const std::vector<size_t>& views);

/// Throws InputError if the mask's size differs from the stored image's; nothing is decoded.
ImageHeader readMaskHeader(const std::filesystem::path& path, ImageSize photograph);

/// A mask as one channel: alpha if the file has any transparency, else its first channel.
Image8 readMask(const std::filesystem::path& path, const ImageHeader& header);

}  // namespace splat
