#pragma once

#include <filesystem>

#include <splatwright/scene/datasets/dataset.h>

namespace splat {

/// Name of a single picture's dataset: Dataset::format.
inline constexpr std::string_view kPictureFormat = "picture";

/// A camera that sees exactly the picture of this size, as flat Gaussians (scene/pictures/flat_gaussians.h).
Camera cameraBefore(int width, int height);

/// The camera of a picture to be fitted, which maps its pixels to themselves: focal lengths of 1 scale positions, a principal point of 0 moves them.
Camera pixelCamera(int width, int height);

/// A single picture, turned as its EXIF says, as a dataset: its only view, with its pixelCamera(), is for training and for testing. Throws InputError
/// like readImageHeader().
Dataset pictureDataset(const std::filesystem::path& path);

}  // namespace splat
