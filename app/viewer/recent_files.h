#pragma once

#include <filesystem>
#include <vector>

namespace splat::app {

/// What was opened last, newest first, kept from one run to the next in a text file, a path a line.
class RecentFiles {
public:
    /// `list`: the text file; empty: nothing is kept. One that cannot be read counts as empty.
    explicit RecentFiles(std::filesystem::path list);
    /// Under XDG_CONFIG_HOME, or in ~/.config; empty where there is neither.
    static std::filesystem::path defaultList();

    void add(const std::filesystem::path& path);
    const std::vector<std::filesystem::path>& paths() const { return paths_; }

private:
    std::filesystem::path list_;
    std::vector<std::filesystem::path> paths_;
};

}  // namespace splat::app
