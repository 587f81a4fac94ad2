#include <splatwright/prepare/snapshots.h>

#include <algorithm>

#include <splatwright/core/error.h>

namespace splat::prepare {

namespace fs = std::filesystem;

namespace {

constexpr size_t kSnapshots = 30;

}  // namespace

Snapshots::Snapshots(fs::path folder, size_t photographs)
    : folder_(std::move(folder)), every_(std::max<size_t>(photographs / kSnapshots, 1)) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    fs::create_directories(folder_, ignored);
}

Snapshots::~Snapshots() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

std::vector<ColmapOption> Snapshots::options() const {
    return {{{"Mapper.snapshot_path"}, folder_.string()},
            {{"Mapper.snapshot_images_freq", "Mapper.snapshot_frames_freq"}, std::to_string(every_)}};
}

std::optional<Model> Snapshots::take() {
    std::vector<fs::path> folders;
    std::error_code failed;
    for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed))
        folders.push_back(entry->path());
    std::ranges::sort(folders);  // COLMAP's names are milliseconds, so that the last one is the newest
    if (folders.empty() || !hasModel(folders.back())) return std::nullopt;
    try {
        Model model = readModel(folders.back());
        std::error_code ignored;
        for (const fs::path& folder : folders) fs::remove_all(folder, ignored);
        return model;
    } catch (const InputError&) {
        return std::nullopt;  // it is still being written
    }
}

}  // namespace splat::prepare
