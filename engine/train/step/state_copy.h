#pragma once

#include <optional>
#include <vector>

#include <splatwright/gpu/commands.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/model/store.h>

namespace splat {

/// A copy of a trainer's state, in the GPU's memory if eight of them would fit there, else in the host's. The GPU writes it between two steps, and nobody
/// waits until it is read.
class StateCopy {
public:
    explicit StateCopy(gpu::Device& device) : device_(&device) {}
    ~StateCopy();
    StateCopy(const StateCopy&) = delete;
    StateCopy& operator=(const StateCopy&) = delete;

    /// Replaces the copy. `rest` is all that a checkpoint has besides the store's sections; its `gaussians` are copied of the store. Throws
    /// gpu::OutOfMemory, and then there is no copy.
    void take(GaussianStore& store, Checkpoint rest);
    /// There is no copy any more; its memory is for the next one.
    void forget();
    /// There is no copy any more, nor memory for one.
    void release();
    /// Steps done when it was taken; none: there is no copy.
    std::optional<uint32_t> step() const;
    /// The state as Trainer::checkpoint() had returned it. Waits until the copy has arrived.
    Checkpoint checkpoint() const;

private:
    /// A section of the checkpoint within the copied bytes.
    struct Part {
        std::string name;
        uint32_t stride;
        uint64_t offset, bytes;
    };

    void reserve(uint64_t bytes);
    void finish() const;

    gpu::Device* device_;
    gpu::Buffer bytes_;
    bool onDevice_ = false;
    std::vector<Part> parts_;
    Checkpoint rest_;
    std::optional<gpu::Commands> commands_;
    std::optional<gpu::Ticket> ticket_;  ///< none: there is no copy
};

}  // namespace splat
