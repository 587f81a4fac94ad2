#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace splat {

/// Photographs or a video without camera poses.
struct Unposed {
    std::filesystem::path path;  ///< that can be prepared: the folder, or the video
    std::string what;            ///< "30 photographs" or "a video"
};

/// What a path holds that can be prepared; whether it is a dataset already is not looked at.
std::optional<Unposed> findUnposed(const std::filesystem::path& path);

/// Advice for a path with images or a video but no camera poses: the command that finds them and trains, on a line of its own, indented by four
/// spaces. Starts with a line break; empty for any other path.
std::string adviceOnMissingPoses(const std::filesystem::path& path);

}  // namespace splat
