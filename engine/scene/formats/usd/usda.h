#pragma once

#include <filesystem>
#include <string_view>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

inline constexpr std::string_view kUsdaSignature = "#usda 1.0";
/// A property of ours: whether the splats are antialiased.
inline constexpr std::string_view kUsdaAntialiased = "splatwright:antialiased";

/// Writes one prim of UsdVol's schema ParticleField3DGaussianSplat in a scene with the y axis up, as text whose numbers read back as the same floats.
/// Scales that are too large for a float become the largest. Throws like requireWritable(), and Error if the file cannot be written.
void writeUsda(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
