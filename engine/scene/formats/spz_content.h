#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include <splatwright/core/memory.h>
#include <splatwright/scene/formats/spz_packed.h>

namespace splat {

/// A whole SPZ file, decompressed.
struct SpzContent {
    SpzHeader header;
    UnfilledBytes bytes;                ///< among them the blocks, as SpzPacked reads them
    size_t start;                       ///< of the blocks
    std::vector<std::byte> extensions;  ///< none unless the header says so
};

/// Decompresses a file of any version. Throws InputError that starts with the path.
SpzContent unpackSpz(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace splat
