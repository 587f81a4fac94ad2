#pragma once

#include <filesystem>
#include <string_view>

namespace splat {

/// A folder for results: created and tested for writing before work starts, and removed again if nothing was written to it.
class OutputFolder {
public:
    /// Throws Error naming the path if it cannot be created or written, InputError if it is a file or empty.
    explicit OutputFolder(std::filesystem::path path);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

private:
    std::filesystem::path path_;
    std::filesystem::path lowestExisting_;  ///< folders below it were created by this
};

}  // namespace splat
