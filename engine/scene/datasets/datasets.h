#pragma once

#include <filesystem>

#include <splatwright/scene/datasets/dataset.h>

namespace splat {

/// A dataset format: one file defines its row, and the table lists the row's name. Loaders need not sort views or check image files;
/// loadDataset() does.
struct DatasetFormat {
    const char* name;
    const char* looksLike;  ///< required files, for messages
    bool (*recognises)(const std::filesystem::path& path);
    Dataset (*load)(const std::filesystem::path& path, const DatasetOptions& options);
};

/// loadDataset() without the images, which need not be there; panoramas are not divided.
Dataset listDataset(const std::filesystem::path& path, const DatasetOptions& options = {});

}  // namespace splat
