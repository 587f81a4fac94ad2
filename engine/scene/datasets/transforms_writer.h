#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/datasets/named_camera.h>

namespace splat {

/// Writes transforms.json as nerfstudio reads it: OpenGL camera-to-world matrices (x right, y up, z backward) in the cameras' world space. View names
/// are image paths relative to the file's folder. nerfstudio knows one camera model per file, that of the first view here; views of another model name
/// theirs, which this program reads. Throws Error if the file cannot be written.
void writeTransforms(const std::filesystem::path& file, const std::vector<NamedCamera>& views);

}  // namespace splat
