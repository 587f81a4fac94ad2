#pragma once

#include <array>
#include <string_view>

namespace splat::prepare {

/// Photographs that COLMAP does not read, or not with their colours: they are converted as they are placed.
inline constexpr std::array<std::string_view, 13> kConvertedEndings{".heic", ".heif", ".avif", ".tif", ".tiff", ".dng", ".cr2",
                                                                    ".cr3",  ".nef",  ".arw",  ".raf", ".orf",  ".rw2"};

}  // namespace splat::prepare
