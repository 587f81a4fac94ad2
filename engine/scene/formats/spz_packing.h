#pragma once

#include <filesystem>
#include <span>

#include <splatwright/core/memory.h>
#include <splatwright/scene/formats/spz_layout.h>
#include <splatwright/scene/formats/spz_packed.h>
#include <splatwright/scene/formats/spz_writer.h>

namespace splat {

/// What a file holds before it is compressed.
struct SpzPacking {
    SpzHeader header;
    UnfilledBytes bytes;  ///< room for the header of a gzip member, then the blocks as SpzPacked reads them, one after another

    std::span<const std::byte> splats() const { return bytes.span().subspan(sizeof(SpzGzipHeader)); }
};

/// Visits each block of the model once. Throws InputError with the first splat that is not finite, or whose position lies out of the version's range.
SpzPacking packSpz(const std::filesystem::path& path, const SplatBlocks& blocks, const SpzEncoding& encoding);

}  // namespace splat
