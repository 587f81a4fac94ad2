#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Reads the bytes of an SPZ file of any version, in the frame of a PLY. The path starts messages. Throws InputError.
Gaussians decodeSpz(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace splat
