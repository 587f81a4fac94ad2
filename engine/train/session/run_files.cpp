#include <splatwright/train/session/run_files.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/train/model/trained_kind.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

void removeFile(const fs::path& path) {
    std::error_code failed;
    fs::remove(path, failed);
    if (failed) throw Error("{}: cannot be overwritten: {}", path.string(), failed.message());
}

}  // namespace

std::vector<std::string_view> runFiles() {
    std::vector<std::string_view> all{kSplatsFile, kMetricsFile, kLogFile, kStripFile, kCheckpointFile, kCamerasFile};
    for (const TrainedKindRow* row : trainedKindTable()) {
        for (const std::string_view file : row->files)
            if (std::ranges::find(all, file) == all.end()) all.push_back(file);
    }
    return all;
}

std::optional<std::string_view> findRun(const fs::path& folder) {
    std::error_code ignored;
    for (const std::string_view file : runFiles()) {
        if (!fs::exists(folder / file, ignored)) continue;
        if (fs::is_regular_file(folder / file, ignored) && fs::file_size(folder / file, ignored) == 0) continue;
        return file;
    }
    return std::nullopt;
}

bool isOfRun(const fs::path& path) {
    std::error_code ignored;
    const bool isFolder = fs::is_directory(path, ignored);
    const fs::path folder = isFolder ? path : path.parent_path();
    const auto has = [&](const char* file) { return fs::is_regular_file(folder / file, ignored); };
    // Other files of a run have names that anybody may give to something else.
    if (!has(kLogFile) && !has(kMetricsFile) && !has(kCheckpointFile)) return false;
    if (isFolder) return true;
    const std::vector<std::string_view> all = runFiles();
    return std::ranges::find(all, path.filename().string()) != all.end();
}

bool continuesIn(const fs::path& folder, const fs::path& checkpoint) {
    std::error_code ignored;
    return !checkpoint.empty() && fs::equivalent(fs::absolute(checkpoint).parent_path(), folder, ignored);
}

void removeRun(const fs::path& folder) {
    for (const std::string_view file : runFiles()) removeFile(folder / file);
    removeTemporaries(folder);
}

void removeTemporaries(const fs::path& folder) {
    const std::vector<std::string_view> all = runFiles();
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (std::ranges::any_of(all, [&](std::string_view file) { return isTemporaryOf(name, file); })) removeFile(entry.path());
    }
}

}  // namespace splat
