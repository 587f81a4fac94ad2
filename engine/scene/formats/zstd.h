#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace splat {

/// Appends the contents of a zstd frame, which must be exactly `count` bytes. Memory grows with the actual output, not with the size that it claims.
/// Throws InputError with the path and the property.
void unpackZstd(const std::filesystem::path& path, std::span<const std::byte> frame, size_t count, const char* property,
                std::vector<std::byte>& out);

}  // namespace splat
