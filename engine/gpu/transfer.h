#pragma once

#include <cstdint>

#include <mutex>

#include <volk.h>

#include "gpu/buffer.h"
#include "gpu/command_pools.h"

namespace splat::gpu {

class Device;

/// A copy between two buffers, recorded once for the transfer queue and submitted any number of times. Move-only.
class Transfer {
public:
    /// The target has Residence::streamed; the slices are of equal length.
    Transfer(Device& device, BufferSlice from, BufferSlice to);
    ~Transfer();
    Transfer(Transfer&& other) noexcept;
    Transfer& operator=(Transfer&&) = delete;
    Transfer(const Transfer&) = delete;

    VkCommandBuffer handle() const { return buffer_; }

private:
    CommandPool* pool_;
    VkCommandBuffer buffer_;
};

/// A point in the transfer queue's work: everything submitted up to it. The default lies before all work.
struct Arrival {
    uint64_t value = 0;
};

/// Copies that run beside the compute queue's work, in their own order. Without Feature::transferQueue they go to the compute queue itself
/// and take turns with its work; results are the same.
class TransferQueue {
public:
    /// `mutex` is that of the VkQueue, which may be another's too.
    TransferQueue(Device& device, uint32_t family, VkQueue queue, std::mutex& mutex);
    ~TransferQueue();
    TransferQueue(const TransferQueue&) = delete;
    TransferQueue& operator=(const TransferQueue&) = delete;

    /// Hands a copy to the queue and returns at once, from any thread. The GPU starts it when the compute queue's work up to the ticket is done.
    Arrival submit(const Transfer& transfer, uint64_t afterTicket);
    /// Blocks until the arrival; for tearing down.
    void wait(Arrival arrival);
    /// Of the last copy that was submitted.
    Arrival last() const;

    // For the rest of gpu/.
    VkSemaphore timeline() const { return timeline_; }
    CommandPools& commandPools() { return commandPools_; }

private:
    Device& device_;
    VkQueue queue_;
    std::mutex& mutex_;
    CommandPools commandPools_;
    VkSemaphore timeline_;
    uint64_t submitted_ = 0;
};

}  // namespace splat::gpu
