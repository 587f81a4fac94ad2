#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/scene/dataset.h>

namespace splat {

/// What nerfstudio's `train_filenames`, `val_filenames` and `test_filenames` say of each frame of a transforms.json; empty if it has none of
/// them. As in nerfstudio's parser, names are paths from the file's folder, and frames on no list are not used. Test views are those of
/// `test_filenames`, else of `val_filenames`; without `train_filenames` (an error in nerfstudio) the frames on no list are for training.
/// Throws InputError for a name that is the file_path of no frame.
std::vector<ViewUse> namedUses(const std::filesystem::path& path, const nlohmann::json& root);

}  // namespace splat
