#include <splatwright/train/session/run_files.h>

#include <algorithm>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

void removeFile(const fs::path& path) {
    std::error_code failed;
    fs::remove(path, failed);
    if (failed) throw Error("{}: cannot be overwritten: {}", path.string(), failed.message());
}

}  // namespace

std::optional<std::string_view> findRun(const fs::path& folder) {
    std::error_code ignored;
    for (const std::string_view file : kRunFiles) {
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
    return isFolder || std::ranges::find(kRunFiles, path.filename().string()) != kRunFiles.end();
}

bool continuesIn(const fs::path& folder, const fs::path& checkpoint) {
    std::error_code ignored;
    return !checkpoint.empty() && fs::equivalent(fs::absolute(checkpoint).parent_path(), folder, ignored);
}

void removeRun(const fs::path& folder) {
    for (const std::string_view file : kRunFiles) removeFile(folder / file);
    removeTemporaries(folder);
}

void removeTemporaries(const fs::path& folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (std::ranges::any_of(kRunFiles, [&](std::string_view file) { return isTemporaryOf(name, file); })) removeFile(entry.path());
    }
}

}  // namespace splat
