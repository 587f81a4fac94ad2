#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>

#include <splatwright/train/session/checkpoint.h>

namespace splat {

/// Writes one checkpoint after the other, on a thread of its own, while training continues.
class CheckpointWriter {
public:
    /// Takes the state after so many steps. Waits for the checkpoint before, and throws the Error that it ended with.
    void write(Checkpoint checkpoint, uint32_t step, const std::filesystem::path& path);
    /// Waits for what is being written, and throws the Error that it ended with.
    void finish();

    /// Whether a checkpoint is under way and finish() would not wait.
    bool ready() const;

    /// The last checkpoint that is complete: its path and step. No step: there is none.
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
