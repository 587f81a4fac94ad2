#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/images/image_file.h>

namespace splat {

/// Precedes a block of EXIF in JPEG, and in the other formats' files of some writers.
inline constexpr std::string_view kExifSignature("Exif\0\0", 6);

/// Unsigned number of 1 to 4 bytes at an offset; 0 if it ends behind the bytes.
uint32_t numberAt(std::span<const std::byte> bytes, uint64_t offset, size_t size, std::endian order);

/// A block of EXIF: a TIFF header and directories of entries (TIFF 6.0, section 2). Nothing is found in one that is cut or damaged.
class ExifBlock {
public:
    struct Entry {
        uint32_t type = 0, count = 0;
        uint64_t offset = 0;  ///< of its values
    };

    /// A view, with or without kExifSignature.
    explicit ExifBlock(std::span<const std::byte> block);

    /// Offset of the first directory; 0: none.
    uint64_t firstDirectory() const;
    /// Offset of the directory that an entry of the first one names; 0: none.
    uint64_t directory(uint32_t tag) const;
    std::optional<Entry> find(uint64_t directory, uint32_t tag) const;

    /// One of an entry's values, as an unsigned number; nothing for other types.
    std::optional<uint32_t> whole(const Entry& entry) const;
    std::optional<double> rational(const Entry& entry, uint32_t index = 0) const;
    std::string text(const Entry& entry) const;

private:
    uint32_t read(uint64_t offset, size_t size) const { return numberAt(bytes_, offset, size, order_); }

    std::span<const std::byte> bytes_;  ///< empty unless the block is one of TIFF's two kinds
    std::endian order_ = std::endian::big;
};

/// Orientation in a block of EXIF. A block that is absent, cut or damaged, or a value outside 1 to 8, is Orientation::stored.
Orientation orientationOf(std::span<const std::byte> exif);

/// Camera, focal length and place in a block of EXIF, as far as it has them.
Shot shotOf(std::span<const std::byte> exif);

/// A block of EXIF, without kExifSignature, with the known fields of a shot.
std::vector<std::byte> exifOf(const Shot& shot);

}  // namespace splat
