#pragma once

#include <filesystem>
#include <span>

#include <splatwright/scene/formats/formats.h>
#include <splatwright/view/world.h>

namespace splat {

/// Merges models into one in world space, without deleted Gaussians but with hidden ones, at their highest SH degree. Waits for the GPU. Throws
/// InputError if models with and without the 2D filter (Gaussians::antialiased) are mixed.
/// flags: as in World::gaussiansOf().
Gaussians placedGaussians(const World& world, std::span<const World::Id> models, uint32_t flags = 0);

/// Writes the merged models. Throws the errors of SplatWriter::write.
void saveModels(const World& world, std::span<const World::Id> models, const std::filesystem::path& path, const SplatWriter& writer);

}  // namespace splat
