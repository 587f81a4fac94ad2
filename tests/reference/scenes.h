#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat::reference {

/// A random but reproducible input for renderer tests. Depths of different splats are either bit-identical (equalDepths) or further
/// apart than single precision can confuse, so that the order of blending is never in doubt.
struct Scene {
    std::string name;
    Gaussians gaussians;
    Camera camera;
};

/// opaque, translucent, elongated, offScreen, behindCamera, equalDepths, crowdedTile, mixed, tinyImage.
std::vector<std::string> sceneNames();

/// The scene of that name with the given SH degree; another seed gives another sample of the same kind. The camera has fx != fy,
/// a principal point off the centre and, but for equalDepths, a rotation.
Scene makeScene(std::string_view name, uint64_t seed = 1, int shDegree = 3);

/// The mixed kind at a chosen size: opaque, translucent, elongated and partly off-screen splats that overlap.
Scene makeMixedScene(size_t count, int width, int height, uint64_t seed = 1, int shDegree = 3);

}  // namespace splat::reference
