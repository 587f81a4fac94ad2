#pragma once

#include <cstdint>

#include <mutex>

#include <volk.h>

#include <splatwright/gpu/buffer.h>
#include <splatwright/gpu/command_pools.h>

namespace splat::gpu {

class Device;

/// A copy between two buffers, recorded once for the transfer queue and submitted any number of times. Move-only.
class Transfer {
public:
    /// `to` must have Residence::streamed; both slices have the same size.
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

/// A point in the transfer queue's work: everything submitted up to it. The default is before all work.
struct Arrival {
    uint64_t value = 0;
};

/// Runs copies in parallel with the compute queue, in submission order. Without Feature::transferQueue it uses the compute queue itself; results
/// are the same.
class TransferQueue {
public:
    /// mutex: guards the VkQueue, which Queue may use too.
    TransferQueue(Device& device, uint32_t family, VkQueue queue, std::mutex& mutex);
    ~TransferQueue();
    TransferQueue(const TransferQueue&) = delete;
    TransferQueue& operator=(const TransferQueue&) = delete;

    /// Submits a copy and returns at once; any thread may call. The GPU starts it when the compute queue's work up to the ticket is done.
    Arrival submit(const Transfer& transfer, uint64_t afterTicket);
    /// Blocks until the copies up to `arrival` are done; for tearing down.
    void wait(Arrival arrival);
    /// The last submitted copy.
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
