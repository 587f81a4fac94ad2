#pragma once

#include <filesystem>

#include <splatwright/prepare/scene_frame.h>

namespace splat::prepare {

/// Writes the model as sparse/0 and transforms.json, which names images in images/, and the frame as transform.json. Throws Error.
void writeDataset(const std::filesystem::path& folder, const Model& model, const SceneFrame& frame);

}  // namespace splat::prepare
