#include <splatwright/gpu/command_pools.h>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/device.h>

namespace splat::gpu {

CommandPool::CommandPool(Device& device, uint32_t family) : device_(device) {
    const VkCommandPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
    vk(vkCreateCommandPool(device.handle(), &info, nullptr, &pool_), "create a command pool");
}

CommandPool::~CommandPool() { vkDestroyCommandPool(device_.handle(), pool_, nullptr); }

VkCommandBuffer CommandPool::allocate(const std::string& name) {
    {
        const std::scoped_lock lock(mutex_);
        if (!discarded_.empty()) vkFreeCommandBuffers(device_.handle(), pool_, static_cast<uint32_t>(discarded_.size()), discarded_.data());
        discarded_.clear();
    }
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = pool_,
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    vk(vkAllocateCommandBuffers(device_.handle(), &info, &buffer), "allocate commands '{}'", name);
    return buffer;
}

void CommandPool::free(VkCommandBuffer buffer) {
    if (std::this_thread::get_id() == owner_) {
        vkFreeCommandBuffers(device_.handle(), pool_, 1, &buffer);
        return;
    }
    const std::scoped_lock lock(mutex_);
    discarded_.push_back(buffer);
}

CommandPool& CommandPools::ofThisThread() {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<CommandPool>& pool = pools_[std::this_thread::get_id()];
    if (!pool) pool = std::make_unique<CommandPool>(device_, family_);
    return *pool;
}

}  // namespace splat::gpu
