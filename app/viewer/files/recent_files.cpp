#include "viewer/files/recent_files.h"

#include <algorithm>
#include <sstream>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/platform/program.h>

namespace splat::app {

namespace {

constexpr size_t kMost = 12;

}  // namespace

RecentFiles::RecentFiles(std::filesystem::path list) : list_(std::move(list)) {
    std::error_code ignored;
    if (list_.empty() || !std::filesystem::exists(list_, ignored)) return;
    try {
        std::istringstream lines(readTextFile(list_));
        for (std::string line; paths_.size() < kMost && std::getline(lines, line);)
            if (!line.empty()) paths_.emplace_back(line);
    } catch (const Error& problem) {
        spdlog::debug("recent files: {}", problem.what());
    }
}

std::filesystem::path RecentFiles::defaultList() {
    const std::filesystem::path folder = platform::userConfigFolder();
    return folder.empty() ? folder : folder / "recent";
}

/// Failing to write the list is not an error.
void RecentFiles::add(const std::filesystem::path& path) {
    const std::filesystem::path whole = std::filesystem::absolute(path).lexically_normal();
    if (whole.string().find('\n') != std::string::npos) return;  // the list has a line per path
    std::erase(paths_, whole);
    paths_.insert(paths_.begin(), whole);
    if (paths_.size() > kMost) paths_.resize(kMost);
    if (list_.empty()) return;
    std::string text;
    for (const auto& p : paths_) text += p.string() + '\n';
    try {
        std::filesystem::create_directories(list_.parent_path());
        writeFileAtomically(list_, text);
    } catch (const std::exception& problem) {
        spdlog::debug("recent files: {}", problem.what());
    }
}

}  // namespace splat::app
