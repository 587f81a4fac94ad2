#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/synth/named_camera.h>

namespace splat {

/// Writes transforms.json in nerfstudio's dialect: OpenGL camera-to-world matrices (x right, y up, z backward) in the cameras' own world.
/// Each view's name is its picture's path from the file's folder. Throws Error if the file cannot be written.
void writeTransforms(const std::filesystem::path& file, const std::vector<NamedCamera>& views);

}  // namespace splat
