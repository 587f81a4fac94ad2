#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include <splatwright/core/folder_lock.h>
#include <splatwright/prepare/own_files.h>
#include <splatwright/prepare/stages.h>

namespace splat::prepare {

// What a preparation makes in the dataset's folder.
inline constexpr std::array<std::string_view, 3> kModelFiles{"sparse", "transforms.json", "transform.json"};
inline constexpr std::array<std::string_view, 6> kAllFiles{"images", "masks", "sparse", "transforms.json", "transform.json", "frames.json"};

/// The dataset's folder while a dataset is made in it: locked, with the record of its files and of the finished stages.
class WorkFolder {
public:
    /// Throws InputError if another process works there, or what checkFolder() throws.
    WorkFolder(const std::filesystem::path& out, const Origin& origin, bool force, bool inPlace);

    OwnFiles& own() { return *own_; }
    Stages& stages() { return *stages_; }

private:
    std::optional<FolderLock> lock_;
    std::optional<OwnFiles> own_;
    std::optional<Stages> stages_;
};

}  // namespace splat::prepare
