#pragma once

#include <cstdint>
#include <filesystem>

#include <splatwright/render/kinds/model_kind.h>

namespace splat {

/// The model of a checkpoint as its run would have saved it, had it ended there.
struct CheckpointModel {
    ModelFile model;
    uint32_t step = 0;
};

/// Throws InputError naming the path, like readCheckpoint(), and if the model is not whole.
CheckpointModel readCheckpointModel(const std::filesystem::path& path);

}  // namespace splat
