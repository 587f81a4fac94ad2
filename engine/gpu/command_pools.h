#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <volk.h>

namespace splat::gpu {

class Device;

/// One thread's pool of command buffers. Vulkan lets one thread at a time touch anything of a pool, a recording included.
class CommandPool {
public:
    CommandPool(Device& device, uint32_t family);
    ~CommandPool();
    CommandPool(const CommandPool&) = delete;
    CommandPool& operator=(const CommandPool&) = delete;

    /// From the pool's thread.
    VkCommandBuffer allocate(const std::string& name);
    /// From any thread: what another gives back goes when the pool's thread allocates next, or with the device.
    void free(VkCommandBuffer buffer);

private:
    void freeDiscarded();

    Device& device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::thread::id owner_ = std::this_thread::get_id();
    std::mutex mutex_;
    std::vector<VkCommandBuffer> discarded_;  ///< by other threads
};

/// A pool a thread, made when a thread first asks. A thread that has ended leaves its pool to the next one that gets its id.
class CommandPools {
public:
    CommandPools(Device& device, uint32_t family) : device_(device), family_(family) {}

    /// The calling thread's; as long as the device.
    CommandPool& ofThisThread();

private:
    Device& device_;
    uint32_t family_;
    std::mutex mutex_;
    std::map<std::thread::id, std::unique_ptr<CommandPool>> pools_;
};

}  // namespace splat::gpu
