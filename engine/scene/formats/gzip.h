#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace splat {

/// What the first bytes of a gzip file are.
inline constexpr std::string_view kGzipSignature = "\x1f\x8b\x08";

/// Inflates a gzip file in memory, bit by bit. Memory grows with what really comes out, never with what a file claims. Every failure is an
/// InputError that names the path.
class GzipReader {
public:
    /// Path and bytes must outlive the reader.
    GzipReader(const std::filesystem::path& path, std::span<const std::byte> bytes);
    ~GzipReader();
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    /// Exactly so many bytes; an error that names the property when there are fewer.
    std::vector<std::byte> read(size_t count, const char* property);
    /// All that is left, which must be at most so much, after which the file's checksum is known to be right.
    std::vector<std::byte> readRest(size_t limit);

private:
    std::vector<std::byte> readUpTo(size_t count);
    size_t inflateInto(std::span<std::byte> out);
    void feed();

    const std::filesystem::path& path_;
    std::span<const std::byte> bytes_;  // not yet given to zlib
    z_stream stream_{};
    bool ended_ = false;
};

}  // namespace splat
