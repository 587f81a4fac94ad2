#pragma once

#include <filesystem>

#include <splatwright/scene/datasets/camera_models.h>
#include <splatwright/scene/files/json_reader.h>

namespace splat {

/// Intrinsics of a frame of transforms.json, as nerfstudio and instant-ngp read them. The image's header gives the size if the file has none.
/// Throws InputError.
Intrinsics frameIntrinsics(const JsonProperties& frame, const std::filesystem::path& image);

}  // namespace splat
