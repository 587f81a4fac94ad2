#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include <volk.h>

#include <splatwright/gpu/submission_log.h>

namespace splat::gpu {

class Device;

/// Semaphores of one submission besides the queue's own timeline; null: none.
struct SubmitOrder {
    VkSemaphore wait = VK_NULL_HANDLE;
    uint64_t value = 0;  ///< to wait for, if `wait` is a timeline
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSemaphore signal = VK_NULL_HANDLE;  ///< binary
};

/// The compute queue and the timeline that counts its submissions. Any thread may submit; later submissions run later.
class Queue {
public:
    /// loseAtSubmission: DeviceOptions::loseAtSubmission.
    Queue(Device& device, VkQueue queue, uint64_t loseAtSubmission);
    ~Queue();
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    /// Hands recorded commands to the GPU and returns at once. Throws DeviceLost or Error with the name.
    Ticket submit(const std::string& name, std::span<const VkCommandBuffer> commands, const SubmitOrder& order);
    VkResult present(const VkPresentInfoKHR& info);

    bool done(Ticket ticket) const;
    /// Blocks until the ticket is done, and counts that for the calling thread.
    void wait(Ticket ticket) const;
    /// Blocks until the queue is idle, presentation included.
    void waitIdle();
    /// Ticket of the last submission by any thread.
    Ticket last() const;

    /// Calls of wait() by the calling thread, on any device, and the CPU time in them (drivers spin).
    static uint64_t waits();
    static double waitedMicroseconds();

    /// What was submitted last.
    SubmissionLog& log() { return log_; }

    VkQueue handle() const { return queue_; }
    VkSemaphore timeline() const { return timeline_; }
    /// Held while the VkQueue is used, for a TransferQueue that uses the same one.
    std::mutex& mutex() { return mutex_; }

private:
    [[noreturn]] void throwLost(const std::string& doing) const;

    Device& device_;
    VkQueue queue_;
    uint64_t loseAtSubmission_;
    VkSemaphore timeline_;
    mutable std::mutex mutex_;
    mutable SubmissionLog log_;
    Ticket submitted_ = 0;  ///< under the mutex: a timeline's value may only rise
};

}  // namespace splat::gpu
