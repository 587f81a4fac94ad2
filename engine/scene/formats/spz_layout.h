#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <splatwright/scene/formats/spz_packed.h>

namespace splat {

// Niantic's layout (github.com/nianticlabs/spz, load-spz.cc): a header, one block per attribute, extensions. Up to version 3 all of it is
// in one gzip stream; from version 4 on the header is uncompressed and each block is a separate zstd frame.

inline constexpr std::string_view kSpzSignature = "NGSP";
inline constexpr uint32_t kSpzLastInGzip = 3, kSpzInZstd = 4;  ///< versions
inline constexpr int kSpzMaxFractionalBits = 24;               ///< of 24: positions are between -0.5 and 0.5

/// Header of versions 1 to 3.
struct SpzGzipHeader {
    std::array<char, 4> signature;
    uint32_t version;
    uint32_t count;
    uint8_t shDegree;
    uint8_t fractionalBits;
    uint8_t flags;
    uint8_t reserved;
};
static_assert(sizeof(SpzGzipHeader) == 16);

/// Header of version 4.
struct SpzPlainHeader {
    std::array<char, 4> signature;
    uint32_t version;
    uint32_t count;
    uint8_t shDegree;
    uint8_t fractionalBits;
    uint8_t flags;
    uint8_t streams;          ///< number of blocks that are not empty
    uint32_t contentsOffset;  ///< of the table of contents; extensions are before it
    std::array<char, 12> reserved;
};
static_assert(sizeof(SpzPlainHeader) == 32);

/// A row of version 4's table of contents.
struct SpzStreamSize {
    uint64_t compressed, uncompressed;
};

}  // namespace splat
