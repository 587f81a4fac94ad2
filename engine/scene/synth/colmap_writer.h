#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/datasets/named_camera.h>
#include <splatwright/scene/gaussians/point.h>

namespace splat {

/// A view that observes a point, and the place in its image, pixels.
struct Observation {
    uint32_t view = 0;
    double x = 0, y = 0;
};

/// Observations per point; empty: of none.
using Tracks = std::vector<std::vector<Observation>>;

/// Writes a COLMAP model (cameras.bin, images.bin, points3D.bin) into an existing folder. Names are relative to the image folder; views with equal
/// intrinsics share a camera, of the model PINHOLE if it has no distortion. Throws Error if a file cannot be written.
void writeColmapModel(const std::filesystem::path& folder, const std::vector<NamedCamera>& views, const std::vector<Point>& points,
                      const Tracks& tracks = {});

}  // namespace splat
