#include <splatwright/gpu/transfer.h>

#include <utility>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/device.h>

namespace splat::gpu {

Transfer::Transfer(Device& device, BufferSlice from, BufferSlice to)
    : pool_(&device.transfers().commandPools().ofThisThread()), buffer_(pool_->allocate("copy")) {
    SPLAT_CHECK(from.bytes == to.bytes && from.bytes > 0, "copy of {} bytes into {}", from.bytes, to.bytes);
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    vk(vkBeginCommandBuffer(buffer_, &begin), "begin a copy's commands");
    const VkBufferCopy region{from.offset, to.offset, from.bytes};
    vkCmdCopyBuffer(buffer_, from.buffer, to.buffer, 1, &region);
    vk(vkEndCommandBuffer(buffer_), "end a copy's commands");
}

Transfer::~Transfer() {
    if (pool_) pool_->free(buffer_);
}

Transfer::Transfer(Transfer&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), buffer_(other.buffer_) {}

TransferQueue::TransferQueue(Device& device, uint32_t family, VkQueue queue, std::mutex& mutex)
    : device_(device), queue_(queue), mutex_(mutex), commandPools_(device, family), timeline_(device.createTimeline("transfer timeline")) {}

TransferQueue::~TransferQueue() { vkDestroySemaphore(device_.handle(), timeline_, nullptr); }

Arrival TransferQueue::submit(const Transfer& transfer, uint64_t afterTicket) {
    const std::scoped_lock lock(mutex_);
    const uint64_t value = submitted_ + 1;
    const VkTimelineSemaphoreSubmitInfo values{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                               .waitSemaphoreValueCount = 1,
                                               .pWaitSemaphoreValues = &afterTicket,
                                               .signalSemaphoreValueCount = 1,
                                               .pSignalSemaphoreValues = &value};
    const VkSemaphore compute = device_.queue().timeline();
    const VkPipelineStageFlags held = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkCommandBuffer buffer = transfer.handle();
    const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .pNext = &values,
                            .waitSemaphoreCount = 1,
                            .pWaitSemaphores = &compute,
                            .pWaitDstStageMask = &held,
                            .commandBufferCount = 1,
                            .pCommandBuffers = &buffer,
                            .signalSemaphoreCount = 1,
                            .pSignalSemaphores = &timeline_};
    vk(vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "submit a copy");
    submitted_ = value;
    return {value};
}

Arrival TransferQueue::last() const {
    const std::scoped_lock lock(mutex_);
    return {submitted_};
}

void TransferQueue::wait(Arrival arrival) {
    const VkSemaphoreWaitInfo info{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &timeline_, .pValues = &arrival.value};
    vk(vkWaitSemaphores(device_.handle(), &info, UINT64_MAX), "wait for the transfer queue");
}

}  // namespace splat::gpu
