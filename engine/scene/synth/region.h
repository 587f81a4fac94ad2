#pragma once

#include <cstdint>
#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/point.h>
#include <splatwright/scene/synth/scene.h>

namespace splat::synth {

/// Whether `train` holds a view out for testing by default: every eighth one.
bool isTestView(size_t view);

/// Indices of the views that see the region, ascending: `percent` (1 to 100) of the training views, evenly spread, and every second test view.
std::vector<size_t> regionViews(size_t views, int percent);

/// Replaces the cameras of regionViews() and adds points of the scene's region. Training views repeat the region's viewpoints in turn. Viewpoints,
/// test views and points depend on the seed, not on the percentage. Throws Error if the scene has no region.
void addRegion(const Scene& scene, int percent, uint64_t seed, std::vector<Camera>& cameras, std::vector<Point>& points);

}  // namespace splat::synth
