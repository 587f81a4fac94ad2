#pragma once

#include <filesystem>

#include <splatwright/prepare/prepare.h>

namespace splat::prepare {

/// Writes the model as sparse/0 and transforms.json, which names images in images/, and the frame as transform.json. Throws Error.
void writeDataset(const std::filesystem::path& folder, const Model& model, const SceneFrame& frame);

/// Moves a model to a frame, writes it to a folder and reports on it.
Report writeInFrame(const std::filesystem::path& folder, Model model, const SceneFrame& frame);

/// The frame of a model whose images are files in a folder: by their GPS positions, if the settings say so, else sceneFrame() with the known distance.
/// Throws InputError like these.
SceneFrame frameOf(const Model& model, const std::filesystem::path& images, const Settings& settings,
                   const std::function<glm::dvec3(const ModelImage&)>& up);

}  // namespace splat::prepare
