#include <splatwright/gpu/queue.h>

#include <array>

#include <splatwright/core/threads.h>
#include <splatwright/gpu/check.h>
#include <splatwright/gpu/device.h>

namespace splat::gpu {

namespace {

thread_local uint64_t waitsOfThread = 0;
thread_local double microsecondsOfWaits = 0;

}  // namespace

Queue::Queue(Device& device, VkQueue queue, uint64_t loseAtSubmission)
    : device_(device), queue_(queue), loseAtSubmission_(loseAtSubmission), timeline_(device.createTimeline("compute timeline")) {
    device.nameObject(VK_OBJECT_TYPE_QUEUE, reinterpret_cast<uint64_t>(queue_), "compute queue");
}

/// Says which submission is the last that is done. A lost device may refuse to say; then it is the last one that waits have seen.
void Queue::throwLost(const std::string& doing) const {
    uint64_t reached = 0;
    if (vkGetSemaphoreCounterValue(device_.handle(), timeline_, &reached) != VK_SUCCESS) reached = 0;
    throw DeviceLost("could not {}: device lost; {}", doing, log_.text(reached));
}

Queue::~Queue() { vkDestroySemaphore(device_.handle(), timeline_, nullptr); }

Ticket Queue::submit(const std::string& name, std::span<const VkCommandBuffer> commands, const SubmitOrder& order) {
    const std::scoped_lock lock(mutex_);
    if (submitted_ + 1 == loseAtSubmission_) {
        vk(vkQueueWaitIdle(queue_), "wait for the queue to be idle");  // so that what ran last is the same each time
        throwLost(fmt::format("submit '{}', as was asked for", name));
    }
    const uint64_t value = submitted_ + 1;
    const std::array<VkSemaphore, 2> signals{timeline_, order.signal};
    const std::array<uint64_t, 2> values{value, 0};  // a binary semaphore has none
    const uint32_t waits = order.wait ? 1 : 0;
    const uint32_t signalled = order.signal ? 2 : 1;
    const VkTimelineSemaphoreSubmitInfo timeline{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = waits,
                                                 .pWaitSemaphoreValues = &order.value,
                                                 .signalSemaphoreValueCount = signalled,
                                                 .pSignalSemaphoreValues = values.data()};
    const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .pNext = &timeline,
                            .waitSemaphoreCount = waits,
                            .pWaitSemaphores = &order.wait,
                            .pWaitDstStageMask = &order.stage,
                            .commandBufferCount = static_cast<uint32_t>(commands.size()),
                            .pCommandBuffers = commands.data(),
                            .signalSemaphoreCount = signalled,
                            .pSignalSemaphores = signals.data()};
    const VkResult result = vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE);
    if (result == VK_ERROR_DEVICE_LOST) throwLost(fmt::format("submit '{}'", name));
    vk(result, "submit '{}'", name);
    submitted_ = value;
    log_.add(value, name);
    return value;
}

VkResult Queue::present(const VkPresentInfoKHR& info) {
    const std::scoped_lock lock(mutex_);
    return vkQueuePresentKHR(queue_, &info);
}

bool Queue::done(Ticket ticket) const {
    uint64_t reached = 0;
    const VkResult result = vkGetSemaphoreCounterValue(device_.handle(), timeline_, &reached);
    if (result == VK_ERROR_DEVICE_LOST) throwLost("ask for the queue's progress");
    vk(result, "ask for the queue's progress");
    log_.reached(reached);
    return reached >= ticket;
}

void Queue::wait(Ticket ticket) const {
    ++waitsOfThread;
    const VkSemaphoreWaitInfo info{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &timeline_, .pValues = &ticket};
    const double before = threadMicroseconds();
    const VkResult result = vkWaitSemaphores(device_.handle(), &info, UINT64_MAX);
    if (result == VK_ERROR_DEVICE_LOST) throwLost("wait for the queue");
    vk(result, "wait for the queue");
    log_.reached(ticket);
    microsecondsOfWaits += threadMicroseconds() - before;
}

void Queue::waitIdle() {
    const std::scoped_lock lock(mutex_);
    vk(vkQueueWaitIdle(queue_), "wait for the queue to be idle");
}

Ticket Queue::last() const {
    const std::scoped_lock lock(mutex_);
    return submitted_;
}

uint64_t Queue::waits() { return waitsOfThread; }

double Queue::waitedMicroseconds() { return microsecondsOfWaits; }

}  // namespace splat::gpu
