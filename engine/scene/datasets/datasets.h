#pragma once

#include <filesystem>

#include <splatwright/scene/dataset.h>

namespace splat {

/// A description of datasets. Each is a file that defines its row, and the row's name in the table. A loader may leave views unsorted and
/// image files unchecked; loadDataset() sorts and checks them.
struct DatasetFormat {
    const char* name;
    const char* looksLike;  ///< what a user must provide, for messages
    bool (*recognises)(const std::filesystem::path& path);
    Dataset (*load)(const std::filesystem::path& path, const DatasetOptions& options);
};

}  // namespace splat
