#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/dataset.h>
#include <splatwright/scene/synth/named_camera.h>

namespace splat {

/// Writes cameras.bin, images.bin and points3D.bin of COLMAP's binary model into an existing folder. Views of equal intrinsics share a PINHOLE
/// camera; names are below the image folder; images have no observations and points no tracks. Throws Error naming the file that cannot be written.
void writeColmapModel(const std::filesystem::path& folder, const std::vector<NamedCamera>& views, const std::vector<Point>& points);

}  // namespace splat
