#pragma once

#include <filesystem>

#include "scene/dataset.h"

namespace splat {

/// One row of the dataset table. A row's loader may leave views unsorted and image files unchecked; loadDataset does both for all.
struct DatasetFormat {
    const char* name;
    const char* looksLike;  ///< what a user must provide, for messages
    bool (*recognises)(const std::filesystem::path& path);
    Dataset (*load)(const std::filesystem::path& path, const DatasetOptions& options);
};

extern const DatasetFormat kColmapDataset;
extern const DatasetFormat kTransformsDataset;

}  // namespace splat
