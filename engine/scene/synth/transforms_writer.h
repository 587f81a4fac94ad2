#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/synth/named_camera.h>

namespace splat {

/// Writes transforms.json as nerfstudio reads it: OpenGL camera-to-world matrices (x right, y up, z backward) in the cameras' world space.
/// All views have the same lens model, because nerfstudio knows one per file. View names are image paths relative to the file's folder. Throws Error if the file cannot be written.
void writeTransforms(const std::filesystem::path& file, const std::vector<NamedCamera>& views);

}  // namespace splat
