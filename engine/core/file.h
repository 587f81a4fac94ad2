#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <splatwright/core/input_file.h>
#include <splatwright/core/platform/file.h>

namespace splat {

/// Throws InputError with whyReserved() if nothing can be written at the path.
void requireUsableName(const std::filesystem::path& path);

/// Writes a file in pieces to a temporary beside its path, which commit() renames to the path: readers see the old file or the new one, never
/// a part. Replaced files keep their permissions, symbolic links are followed and kept, devices and pipes are written directly. Every member
/// throws Error naming the path, and InputError if the path is a folder or a block device.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path path);
    /// Without commit(), removes the temporary and leaves the path unchanged.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Takes bytes that belong at an offset.
    using Put = std::function<void(size_t offset, std::span<const std::byte> bytes)>;
    /// Appends so many bytes, each of which make(part, put) puts once, by its offset from the first one, for every part. On all cores, in any order;
    /// a device or pipe gets the bytes in their order, and what comes too early waits in memory.
    void writeParts(size_t bytes, size_t parts, const std::function<void(size_t part, const Put& put)>& make);
    /// Waits until the data is on disk, so that even a power cut leaves the old file or the new one.
    void sync();
    void commit();

private:
    void openBeside(const std::filesystem::file_status& there);
    void openDirectly(bool isOutput);
    /// Throws if there is an error.
    void require(std::error_code failed) const;
    void writeInOrder(size_t parts, const std::function<void(size_t part, const Put& put)>& make);

    std::filesystem::path path_, target_,
        temporary_;  ///< target_: path_ without links; temporary_ is empty if the path is written directly
    platform::File file_;
};

/// Writes a whole file to a temporary beside the path and renames it: readers see the old file or the new one, never a part. Throws Error
/// naming the path.
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void writeFileAtomically(const std::filesystem::path& path, const std::string& text);

/// Throws the error that writing to the path would throw before its first byte; leaves no file behind.
void checkWritable(const std::filesystem::path& path);

/// An unused path beside this one: its name, ".tmp" and random digits, cut to the length that file systems allow.
std::filesystem::path temporaryBeside(const std::filesystem::path& path);

/// Whether a file name is one that temporaryBeside() makes for a file named `of`, and not only starts like one.
bool isTemporaryOf(std::string_view name, std::string_view of);

}  // namespace splat
