#pragma once

#include <filesystem>
#include <span>

#include "view/world.h"

namespace splat {

/// These models as one, each where its placement has it and without what was deleted; hidden gaussians are part of it. SH of the highest degree
/// among them. Waits for the GPU. Throws InputError where models with and without the 2D filter (Gaussians::antialiased) are to become one.
Gaussians placedGaussians(const World& world, std::span<const World::Id> models);

/// Writes those to a PLY. Throws Error when the place cannot be written.
void saveModels(const World& world, std::span<const World::Id> models, const std::filesystem::path& path);

}  // namespace splat
