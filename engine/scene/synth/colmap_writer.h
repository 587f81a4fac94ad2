#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/dataset.h>
#include <splatwright/scene/synth/named_camera.h>

namespace splat {

/// Writes a COLMAP model (cameras.bin, images.bin, points3D.bin) into an existing folder, without observations and tracks. Names are relative to
/// the image folder; views with equal intrinsics share a PINHOLE camera. Throws Error if a file cannot be written.
void writeColmapModel(const std::filesystem::path& folder, const std::vector<NamedCamera>& views, const std::vector<Point>& points);

}  // namespace splat
