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

/// Writes to a temporary beside the path and renames it, so that a reader sees the old file or the new one, never half of either.
/// Throws Error naming the path.
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void writeFileAtomically(const std::filesystem::path& path, const std::string& text);

}  // namespace splat
