#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace splat {

/// First bytes of a zip archive with at least one file.
inline constexpr std::string_view kZipSignature = "PK\x03\x04";

/// A file in an archive.
struct ZipEntry {
    std::string name;
    std::vector<std::byte> bytes;
};

/// Reads single files of a zip archive in memory or on disk, by one thread at a time.
class ZipReader {
public:
    /// Path and bytes must outlive the reader. Throws InputError with the path if the bytes are no archive or a truncated one.
    ZipReader(const std::filesystem::path& path, std::span<const std::byte> bytes);
    /// The archive of this path, of which only what is asked for is read. The path must outlive the reader. Throws as openInput(), too.
    explicit ZipReader(const std::filesystem::path& path);

    bool has(const std::string& name) const;

    /// The content of a file, checked against its checksum. Throws InputError with path and name if there is no such file, if it is damaged or
    /// encrypted, or if it is larger than a file that was compressed before may be: against decompression bombs.
    std::vector<std::byte> read(const std::string& name) const;

private:
    const std::filesystem::path& path_;
    size_t archiveBytes_;
    std::unique_ptr<zip, void (*)(zip*)> archive_;
};

/// An archive of files that are stored as they are. The same files give the same bytes, at any time and in any time zone.
std::vector<std::byte> packZip(std::span<const ZipEntry> entries);

}  // namespace splat
