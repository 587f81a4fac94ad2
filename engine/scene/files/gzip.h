#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace splat {

/// First bytes of a gzip file.
inline constexpr std::string_view kGzipSignature = "\x1f\x8b\x08";

/// Inflates an in-memory gzip file step by step. Throws InputError with the path if the file is damaged.
class GzipReader {
public:
    /// Path and bytes must outlive the reader.
    GzipReader(const std::filesystem::path& path, std::span<const std::byte> bytes);
    ~GzipReader();
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    /// Fills `to`. Throws InputError with the property's name if there are fewer bytes.
    void read(std::span<std::byte> to, const char* property);
    /// Reads the rest, at most `limit` bytes, and verifies the checksum. Throws InputError if there are more.
    std::vector<std::byte> readRest(size_t limit);

private:
    size_t readUpTo(std::span<std::byte> to);

    const std::filesystem::path& path_;
    std::span<const std::byte> bytes_;  // not yet inflated
    z_stream stream_{};
    bool ended_ = false;
};

/// Inflates a gzip member to at most the bytes of `to`, in half of GzipReader's time. Returns how many there were; nothing if they do not fit or are
/// damaged, which GzipReader puts into words, or if the build has no libdeflate.
std::optional<size_t> inflateAtOnce(std::span<const std::byte> member, std::span<std::byte> to);

/// Compresses to one gzip member, on all cores: the same bytes give the same member whatever the number of cores. Each of the sections, which follow
/// one another, has bytes of its own kind.
std::vector<std::byte> packGzip(std::span<const std::byte> bytes, std::span<const size_t> sections);

}  // namespace splat
