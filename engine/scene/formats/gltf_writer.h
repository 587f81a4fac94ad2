#pragma once

#include <filesystem>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Writes a GLB of one node and one primitive with KHR_gaussian_splatting, all attributes as 32-bit floats in glTF's frame (left, up, front).
/// Throws InputError for more splats than its 4 GiB hold, or like requireWritable(); Error if the file cannot be written.
void writeGlb(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
