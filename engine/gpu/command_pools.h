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

/// One thread's pool of command buffers. Vulkan lets only one thread at a time use a pool, which includes recording.
class CommandPool {
public:
    CommandPool(Device& device, uint32_t family);
    ~CommandPool();
    CommandPool(const CommandPool&) = delete;
    CommandPool& operator=(const CommandPool&) = delete;

    /// Call from the pool's thread.
    VkCommandBuffer allocate(const std::string& name);
    /// Call from any thread. Buffers freed by other threads are destroyed at the pool's next allocate(), or with the device.
    void free(VkCommandBuffer buffer);

private:
    Device& device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::thread::id owner_ = std::this_thread::get_id();
    std::mutex mutex_;
    std::vector<VkCommandBuffer> discarded_;  ///< freed by other threads
};

/// One command pool per thread, made on first use. The pool of a thread that has ended passes to the next thread with its id.
class CommandPools {
public:
    CommandPools(Device& device, uint32_t family) : device_(device), family_(family) {}

    /// The calling thread's pool, valid as long as the device.
    CommandPool& ofThisThread();

private:
    Device& device_;
    uint32_t family_;
    std::mutex mutex_;
    std::map<std::thread::id, std::unique_ptr<CommandPool>> pools_;
};

}  // namespace splat::gpu
