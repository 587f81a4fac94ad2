#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <splatwright/prepare/colmap.h>
#include <splatwright/prepare/model_file.h>

namespace splat::prepare {

/// Models that COLMAP's mapper writes while it works, each to a folder of its own.
class Snapshots {
public:
    /// Replaces the folder; it is removed at the end. `photographs`: about 30 snapshots are written in all.
    Snapshots(std::filesystem::path folder, size_t photographs);
    ~Snapshots();
    Snapshots(const Snapshots&) = delete;
    Snapshots& operator=(const Snapshots&) = delete;

    /// The mapper's options that ask for them.
    std::vector<ColmapOption> options() const;
    /// The newest model, if one has been written since the last call; one that is still being written comes with a later call.
    std::optional<Model> take();

private:
    std::filesystem::path folder_;
    size_t every_;
};

}  // namespace splat::prepare
