#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace splat::app {

/// The folder that a command writes into: made and tried before the work starts, and taken away again when the work fails before it has
/// written anything.
class OutputFolder {
public:
    /// Throws Error naming the path when it cannot be made or written, InputError when it is a file.
    explicit OutputFolder(std::filesystem::path path);
    ~OutputFolder();
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

private:
    void tryWriting() const;

    std::filesystem::path path_;
    std::filesystem::path lowestThatWas_;  ///< what stood before; folders below it are ours
};

/// Throws InputError when one of the files is there and has any bytes: a run that ended before its first step leaves an empty log.
void refuseToOverwrite(const std::filesystem::path& folder, std::span<const std::string_view> files);

}  // namespace splat::app
