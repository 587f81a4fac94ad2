#pragma once

#include <filesystem>
#include <vector>

namespace splat::app {

/// Recently opened files, newest first, stored in a text file with one path per line.
class RecentFiles {
public:
    /// list: the text file; empty: nothing is stored. An unreadable file counts as empty.
    explicit RecentFiles(std::filesystem::path list);
    /// In the user's folder for what he has chosen; empty if there is none.
    static std::filesystem::path defaultList();

    void add(const std::filesystem::path& path);
    const std::vector<std::filesystem::path>& paths() const { return paths_; }

private:
    std::filesystem::path list_;
    std::vector<std::filesystem::path> paths_;
};

}  // namespace splat::app
