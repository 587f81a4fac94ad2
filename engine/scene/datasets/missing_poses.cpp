#include <splatwright/scene/datasets/missing_poses.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <splatwright/core/child_process.h>
#include <splatwright/core/platform/program.h>
#include <splatwright/core/shell_quoted.h>
#include <splatwright/scene/files/file_endings.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

/// Regular files of a folder with one of these extensions, sorted; none if the folder cannot be read.
std::vector<fs::path> filesIn(const fs::path& folder, std::span<const std::string_view> endings) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && hasEnding(entry->path(), endings)) files.push_back(entry->path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

std::optional<Unposed> findUnposed(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return hasEnding(path, kVideoEndings) ? std::optional(Unposed{path, "a video"}) : std::nullopt;
    for (const fs::path& folder : {path / "images", path}) {
        const size_t count = filesIn(folder, kPhotographEndings).size();
        if (count > 0) return Unposed{path, fmt::format("{} photograph{}", count, count == 1 ? "" : "s")};
    }
    const auto videos = filesIn(path, kVideoEndings);
    return videos.empty() ? std::nullopt : std::optional(Unposed{videos.front(), "a video"});
}

std::string adviceOnMissingPoses(const fs::path& path) {
    const auto contents = findUnposed(path);
    if (!contents) return {};
    constexpr const char* kName = "splatwright";
    const fs::path self = platform::programFile();
    const bool isOurs = self.filename() == platform::programFiles(kName).front();  // not another program with this library
    const std::string program = isOurs ? shellQuoted(self.string()) : kName;
    return fmt::format("\n  It has no camera poses ({}). To find them with COLMAP, and train:\n    {} train {} -o run --prepare",
                       contents->what, program, shellQuoted(asArgument(contents->path)));
}

}  // namespace splat
