#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>

namespace splat {

struct Checkpoint;

/// Writes checkpoints one after another on a separate thread, while training continues.
class CheckpointWriter {
public:
    /// Writes the state after `step` steps. Waits for the previous checkpoint, and rethrows its Error.
    void write(Checkpoint checkpoint, uint32_t step, const std::filesystem::path& path);
    /// Waits for the current checkpoint, and rethrows its Error.
    void finish();

    /// Whether a checkpoint has been started and finish() would not wait.
    bool ready() const;

    /// Path and step of the last complete checkpoint; no step if there is none.
    const std::filesystem::path& path() const { return path_; }
    std::optional<uint32_t> written() const { return written_; }

private:
    std::filesystem::path path_;
    std::optional<uint32_t> written_;
    std::filesystem::path nextPath_;  ///< of the checkpoint that is being written
    uint32_t nextStep_ = 0;
    std::future<void> writing_;  // last: its destructor waits
};

}  // namespace splat
