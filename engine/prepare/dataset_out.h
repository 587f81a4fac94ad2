#pragma once

#include <filesystem>

#include <splatwright/prepare/prepare.h>

namespace splat::prepare {

/// Writes the model as sparse/0 and transforms.json, which names images in images/, and the frame as transform.json. Throws Error.
void writeDataset(const std::filesystem::path& folder, const Model& model, const SceneFrame& frame);

/// Moves a model to a frame of its own, writes it to a folder and reports on it. `up` and `distance`: see sceneFrame(), whose errors it throws, too.
Report writeInOwnFrame(const std::filesystem::path& folder, Model model, const std::optional<KnownDistance>& distance,
                       const std::function<glm::dvec3(const ModelImage&)>& up);

}  // namespace splat::prepare
