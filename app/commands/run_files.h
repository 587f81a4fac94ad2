#pragma once

#include <array>
#include <filesystem>
#include <string_view>

namespace splat::app {

// What `train` writes into its folder.
inline constexpr const char* kSplatsFile = "splats.ply";
inline constexpr const char* kMetricsFile = "metrics.json";
inline constexpr const char* kLogFile = "log.jsonl";
inline constexpr const char* kStripFile = "strip.png";
inline constexpr const char* kCheckpointFile = "checkpoint.splat-ckpt";
inline constexpr const char* kCamerasFile = "cameras.json";  // where training cameras ended, if they moved
inline constexpr std::array<std::string_view, 6> kRunFiles{kSplatsFile, kMetricsFile, kLogFile, kStripFile, kCheckpointFile, kCamerasFile};

/// Removes what an earlier run left, which would pass for the next one's until it is replaced. Throws Error naming the path, as below.
void removeRun(const std::filesystem::path& folder);

/// Removes what a run that was killed while it wrote left beside its files (splat::AtomicFile).
void removeTemporaries(const std::filesystem::path& folder);

}  // namespace splat::app
