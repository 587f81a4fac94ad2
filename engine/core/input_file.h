#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/core/platform/file.h>

namespace splat {

/// Opens a regular file for reading; every reader opens its input here. Throws InputError naming the path if the file is missing, unreadable or
/// not regular. Directories, FIFOs, sockets and devices are never opened: opening a FIFO waits for its writer, and a device may react.
std::ifstream openInput(const std::filesystem::path& path);

/// A regular file that threads read at any offset, at the same time. Opening throws like openInput().
class RandomAccessFile {
public:
    explicit RandomAccessFile(std::filesystem::path path);

    /// Bytes when it was opened.
    uint64_t size() const { return size_; }
    /// Fills `to` with the bytes from the offset on. Throws InputError naming the path if the file ends before, or if reading fails.
    void read(uint64_t offset, std::span<std::byte> to) const;

private:
    std::filesystem::path path_;
    platform::File file_;
    uint64_t size_ = 0;
};

/// Why openInput() would refuse the path without opening it, as "No such file or directory" or "is a FIFO, expected a regular file"; empty
/// for a regular file.
std::string whyNotReadable(const std::filesystem::path& path);

/// Why nothing can be at the path: the system keeps a name in it for a device, as Windows does with "con" and "aux.ply". Empty for other paths.
std::string whyReserved(const std::filesystem::path& path);

/// Throws InputError naming the path, unless it may be a file or a folder: with whyReserved(), or else with `missing`, "no such dataset" say.
void requireExisting(const std::filesystem::path& path, std::string_view missing);

/// False only if there certainly is nothing at the path. An unreadable folder or a loop of symbolic links counts as existing, so that opening it
/// reports the reason.
bool mayExist(const std::filesystem::path& path);

/// Reads the whole file, opened by openInput(). Throws InputError naming the path if reading fails.
std::vector<std::byte> readFile(const std::filesystem::path& path);
std::string readTextFile(const std::filesystem::path& path);

}  // namespace splat
