#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>

#include "train/checkpoint.h"

namespace splat {

/// Writes one checkpoint after the other to a path, on a thread of its own, so that training goes on meanwhile.
class CheckpointWriter {
public:
    explicit CheckpointWriter(std::filesystem::path path) : path_(std::move(path)) {}

    /// Takes the state after so many steps. Waits for the one before, and throws the Error that it ended with.
    void write(Checkpoint checkpoint, uint32_t step);
    /// Waits for what is being written, and throws the Error that it ended with.
    void finish();

    /// finish(), if that means no waiting.
    void poll();

    const std::filesystem::path& path() const { return path_; }
    /// The step of the checkpoint that lies at the path; none: no checkpoint of ours does.
    std::optional<uint32_t> written() const { return written_; }

private:
    std::filesystem::path path_;
    std::optional<uint32_t> written_;
    uint32_t step_ = 0;          ///< of the one that is being written
    std::future<void> writing_;  // last: its destructor waits
};

}  // namespace splat
