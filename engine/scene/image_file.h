#pragma once

#include <filesystem>

#include "core/image.h"

namespace splat {

struct ImageSize {
    int width = 0;
    int height = 0;
};

/// Reads a JPEG, PNG or WebP file (told apart by content) as 3 channels, or 4 where the file has alpha; 16-bit and grey files are converted.
/// Throws InputError naming the path for a missing, truncated or foreign file.
Image8 readImage(const std::filesystem::path& path);

/// Size from the file's header alone.
ImageSize readImageSize(const std::filesystem::path& path);

/// Writes 3 or 4 channels as PNG, to a temporary first and then by renaming. Throws Error when the place cannot be written.
void writePng(const std::filesystem::path& path, const Image8& image);

}  // namespace splat
