#pragma once

#include <filesystem>
#include <string_view>

namespace splat {

/// A new folder among the temporary files that only this user can read, removed with all that it holds in the end. Throws Error.
class TemporaryFolder {
public:
    /// `name`: what the folder's name begins with.
    explicit TemporaryFolder(std::string_view name);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace splat
