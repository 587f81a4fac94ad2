#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace splat {

/// Opens a regular file for reading; every reader opens its input here. Throws InputError naming the path when there is no such file, it may
/// not be read, or it is something else (a directory, FIFO, socket or device): those are never opened, because opening a FIFO waits for its
/// writer and opening a device may act on it.
std::ifstream openInput(const std::filesystem::path& path);

/// Why openInput() would refuse the path without trying to open it, as "No such file or directory" or "is a FIFO, expected a regular file";
/// empty when it is a regular file.
std::string whyNotReadable(const std::filesystem::path& path);

/// False only when there certainly is nothing at the path. A folder that may not be searched or a loop of symbolic links counts as something,
/// so that whoever goes on to open it says why that fails.
bool mayExist(const std::filesystem::path& path);

/// The whole file, opened by openInput(). Throws InputError naming the path when reading fails.
std::vector<std::byte> readFile(const std::filesystem::path& path);
std::string readTextFile(const std::filesystem::path& path);

}  // namespace splat
