#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace splat {

// Names of a run's files in its folder.
inline constexpr const char* kSplatsFile = "splats.ply";
inline constexpr const char* kMetricsFile = "metrics.json";
inline constexpr const char* kLogFile = "log.jsonl";
inline constexpr const char* kStripFile = "strip.png";
inline constexpr const char* kCheckpointFile = "checkpoint.splat-ckpt";
inline constexpr const char* kCamerasFile = "cameras.json";  // refined training cameras

/// Names of all files that a run may leave, those of every kind of model among them.
std::vector<std::string_view> runFiles();

/// Name of a non-empty file of a run in the folder, if any; a run that ended before its first step leaves an empty log.
std::optional<std::string_view> findRun(const std::filesystem::path& folder);

/// Whether a path is the folder of a run, or one of its files.
bool isOfRun(const std::filesystem::path& path);

/// Whether the checkpoint is in the folder, so that its run continues there.
bool continuesIn(const std::filesystem::path& folder, const std::filesystem::path& checkpoint);

/// Removes the files of an earlier run, which could be mistaken for those of the next one. Throws Error if a file cannot be removed, as below.
void removeRun(const std::filesystem::path& folder);

/// Removes temporary files of a run that was killed while it wrote (splat::AtomicFile).
void removeTemporaries(const std::filesystem::path& folder);

}  // namespace splat
