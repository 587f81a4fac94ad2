#pragma once

#include <filesystem>

#include <splatwright/core/image.h>
#include <splatwright/scene/images/image_file.h>

namespace splat {

/// A mask as one channel: alpha if the file has any transparency, else its first channel.
Image8 readMask(const std::filesystem::path& path, const ImageHeader& header);

}  // namespace splat
