#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace splat {

/// The whole file; throws InputError naming the path when it cannot be read.
std::vector<std::byte> readFile(const std::filesystem::path& path);
std::string readTextFile(const std::filesystem::path& path);

/// A file written piece by piece into a temporary beside its path, which commit() puts in the path's place: a reader sees the old file or
/// the new one, never half of either. Every member throws Error naming the path.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path path);
    /// Without commit() the temporary goes, and the path is as it was.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Waits until the disk has what was written: then even a power cut leaves the old file or the new one.
    void sync();
    void commit();

private:
    [[noreturn]] void fail() const;
    void close();

    std::filesystem::path path_, temporary_;
    int descriptor_ = -1;
    bool committed_ = false;
};

/// Writes to a temporary beside the path and renames it, so that a reader sees the old file or the new one, never half of either.
/// Throws Error naming the path.
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void writeFileAtomically(const std::filesystem::path& path, const std::string& text);

}  // namespace splat
