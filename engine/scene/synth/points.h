#pragma once

#include <cstdint>
#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/point.h>
#include <splatwright/scene/synth/colmap_writer.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

/// Simulated structure-from-motion points on visible surfaces, with small errors; denser where more views see the surface.
std::vector<Point> surfacePoints(const Scene& scene, const std::vector<Camera>& cameras, uint64_t seed);

/// The cameras that see each point.
Tracks tracksOf(const Scene& scene, const std::vector<Lens>& cameras, const std::vector<Point>& points);

}  // namespace splat::synth
