#pragma once

#include <filesystem>
#include <vector>

#include "core/image.h"
#include "scene/dataset.h"

namespace splat {

/// Masks of the chosen views, empty paths where there are none: `masks/NAME.png` (COLMAP's way) or with `.png` in place of NAME's own ending,
/// in the dataset's folder or beside the image folder.
std::vector<std::filesystem::path> findMasks(const Dataset& dataset, const std::vector<size_t>& views);

/// A mask as one channel: alpha where the file has any transparency, else its first channel.
/// Throws InputError when its size is not that of its photograph as stored.
Image8 readMask(const std::filesystem::path& path, const Image8& photograph);

}  // namespace splat
