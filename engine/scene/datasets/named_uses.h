#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/datasets/dataset.h>
#include <nlohmann/json_fwd.hpp>

namespace splat {

/// Use of each frame of a transforms.json by nerfstudio's `train_filenames`, `val_filenames` and `test_filenames`; empty if it has none of them.
/// Test views come from `test_filenames`, else from `val_filenames`; unlisted frames are unused, or for training without `train_filenames`.
/// Throws InputError for a name that is not the file_path of a frame.
std::vector<ViewUse> namedUses(const std::filesystem::path& path, const nlohmann::json& root);

}  // namespace splat
