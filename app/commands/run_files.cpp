#include "commands/run_files.h"

#include <algorithm>

#include "core/error.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

void removeFile(const fs::path& path) {
    std::error_code failed;
    fs::remove(path, failed);
    if (failed) throw Error("{}: cannot be overwritten: {}", path.string(), failed.message());
}

}  // namespace

void removeRun(const fs::path& folder) {
    for (const std::string_view file : kRunFiles) removeFile(folder / file);
    removeTemporaries(folder);
}

void removeTemporaries(const fs::path& folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (std::ranges::any_of(kRunFiles, [&](std::string_view file) { return name.starts_with(fmt::format("{}.tmp", file)); }))
            removeFile(entry.path());
    }
}

}  // namespace splat::app
