#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include <splatwright/scene/datasets/dataset.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {

/// Files that belong to the images of the chosen views; empty paths for views without one: `FOLDER/NAME.png` (as COLMAP's masks) or with `.png` in
/// place of NAME's ending, with the folder in the dataset's folder or beside the image folder.
std::vector<std::filesystem::path> findCompanions(const Dataset& dataset, const std::vector<size_t>& views, std::string_view folder);

/// Throws InputError if the file's size differs from the stored image's; nothing is decoded.
ImageHeader readCompanionHeader(const std::filesystem::path& path, ImageSize photograph);

}  // namespace splat
