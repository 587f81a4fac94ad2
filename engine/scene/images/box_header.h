#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <splatwright/scene/images/exif.h>

namespace splat {

/// The header of a box (ISO/IEC 14496-12, 4.2), of which HEIF and CR3 consist.
struct BoxHeader {
    uint32_t type = 0;   ///< four letters, the first in the highest byte
    uint64_t bytes = 0;  ///< of the header
    uint64_t size = 0;   ///< of the box with its header, as it says: it may be less than `bytes`, or end behind the list
};

/// That of the box at an offset in a list of boxes; numbers behind the list's end are 0.
inline BoxHeader boxHeaderAt(std::span<const std::byte> list, uint64_t at) {
    const auto word = [&](uint64_t offset) { return uint64_t{numberAt(list, at + offset, 4, std::endian::big)}; };
    const auto type = static_cast<uint32_t>(word(4));
    if (word(0) == 1) return {type, 16, word(8) << 32U | word(12)};
    return {type, 8, word(0) == 0 ? list.size() - at : word(0)};  // 0: up to the end
}

}  // namespace splat
