#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <splatwright/scene/image_file.h>

namespace splat {

/// Precedes a block of EXIF in JPEG, and in the other formats' files of some writers.
inline constexpr std::string_view kExifSignature("Exif\0\0", 6);

/// Unsigned number of 1 to 4 bytes at an offset; 0 if it ends behind the bytes.
uint32_t numberAt(std::span<const std::byte> bytes, uint64_t offset, size_t size, std::endian order);

/// Orientation in a block of EXIF (a TIFF header and its first directory: TIFF 6.0, section 2). A block that is absent, cut or damaged, or a value
/// outside 1 to 8, is Orientation::stored.
Orientation orientationOf(std::span<const std::byte> exif);

}  // namespace splat
