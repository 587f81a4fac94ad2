#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace splat {

/// Decompresses a zstd frame that fills `to`. Throws InputError with the path and the property.
void unpackZstd(const std::filesystem::path& path, std::span<const std::byte> frame, std::span<std::byte> to, const char* property);

/// Compresses to one zstd frame.
std::vector<std::byte> packZstd(std::span<const std::byte> bytes);

/// How zstd looks for bytes that came before. 0: as the level has it.
struct ZstdSearch {
    int windowBits = 0;  ///< how far back, as a logarithm
    int leastMatch = 0;  ///< bytes
};

/// The same on all cores, at a level of zstd's: the same bytes give the same frame whatever the number of cores.
std::vector<std::byte> packZstdInParallel(std::span<const std::byte> bytes, int level, const ZstdSearch& search);

}  // namespace splat
