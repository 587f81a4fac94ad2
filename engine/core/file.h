#pragma once

#include <sys/types.h>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/input_file.h"

namespace splat {

/// A file written piece by piece into a temporary beside its path, which commit() puts in the path's place: a reader sees the old file or
/// the new one, never half of either. A new file gets its permissions from the umask, a replaced one keeps its own; a symbolic link is
/// followed and stays. Devices and pipes are not replaced: what is written goes to them at once. Every member throws Error naming the path;
/// a folder or a disk at the path is an InputError.
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
    void openTemporary(std::optional<mode_t> mode);
    void close();

    std::filesystem::path path_, target_, temporary_;  ///< target_: path_ without links; temporary_ is empty where the path is written itself
    int descriptor_ = -1;
};

/// Writes to a temporary beside the path and renames it, so that a reader sees the old file or the new one, never half of either.
/// Throws Error naming the path.
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void writeFileAtomically(const std::filesystem::path& path, const std::string& text);

/// Throws what writing a file at the path would throw before its first byte; leaves nothing behind.
void checkWritable(const std::filesystem::path& path);

/// A path beside this one that nothing has by chance: its name and ".tmp" with random digits, cut to what a file system takes.
std::filesystem::path temporaryBeside(const std::filesystem::path& path);

}  // namespace splat
