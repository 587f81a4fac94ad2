#pragma once

#include <filesystem>

#include <splatwright/core/image.h>

namespace splat {

/// Writes an array as numpy.load() reads it (NPY 1.0): little-endian 32-bit floats in C order, of shape (height, width), or (height, width, channels)
/// if there are several; to a temporary that is then renamed. Throws Error if the file cannot be written.
void writeNpy(const std::filesystem::path& path, const ImageF& image);

}  // namespace splat
