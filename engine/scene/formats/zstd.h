#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace splat {

/// Appends what a zstd frame holds, which must be exactly so many bytes. Memory grows with what really comes out, never with what a file claims.
/// Throws InputError with the path and the property.
void unpackZstd(const std::filesystem::path& path, std::span<const std::byte> frame, size_t count, const char* property,
                std::vector<std::byte>& out);

}  // namespace splat
