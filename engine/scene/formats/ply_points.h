#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/gaussians/point.h>

namespace splat {

/// Reads structure-from-motion points: x, y, z and, if present, red, green, blue (0..255, or 0..1 as float). Throws InputError.
std::vector<Point> readPointsPly(const std::filesystem::path& path);

}  // namespace splat
