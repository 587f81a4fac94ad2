#include <splatwright/gpu/queue.h>

#include <array>

#include <splatwright/core/threads.h>
#include <splatwright/gpu/check.h>
#include <splatwright/gpu/device.h>
#include <splatwright/gpu/submission_log.h>

namespace splat::gpu {

namespace {

thread_local uint64_t waitsOfThread = 0;
thread_local double microsecondsOfWaits = 0;

/// The last submission that is done. A lost device may refuse to say; then it is the last one that waits have seen.
Ticket progressOf(const Device& device, VkSemaphore timeline) {
    uint64_t reached = 0;
    return vkGetSemaphoreCounterValue(device.handle(), timeline, &reached) == VK_SUCCESS ? reached : 0;
}

[[noreturn]] void throwLost(Device& device, VkSemaphore timeline, const std::string& doing) {
    throw DeviceLost("could not {}: device lost; {}", doing, SubmissionLog::of(device).text(progressOf(device, timeline)));
}

}  // namespace

Queue::Queue(Device& device, VkQueue queue, uint64_t loseAtSubmission)
    : device_(device), queue_(queue), loseAtSubmission_(loseAtSubmission), timeline_(device.createTimeline("compute timeline")) {
    device.nameObject(VK_OBJECT_TYPE_QUEUE, reinterpret_cast<uint64_t>(queue_), "compute queue");
}

Queue::~Queue() { vkDestroySemaphore(device_.handle(), timeline_, nullptr); }

Ticket Queue::submit(const std::string& name, std::span<const VkCommandBuffer> commands, const SubmitOrder& order) {
    const std::scoped_lock lock(mutex_);
    if (submitted_ + 1 == loseAtSubmission_) {
        vk(vkQueueWaitIdle(queue_), "wait for the queue to be idle");  // so that what ran last is the same each time
        throwLost(device_, timeline_, fmt::format("submit '{}', as was asked for", name));
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
    if (result == VK_ERROR_DEVICE_LOST) throwLost(device_, timeline_, fmt::format("submit '{}'", name));
    vk(result, "submit '{}'", name);
    submitted_ = value;
    SubmissionLog::of(device_).add(value, name);
    return value;
}

VkResult Queue::present(const VkPresentInfoKHR& info) {
    const std::scoped_lock lock(mutex_);
    return vkQueuePresentKHR(queue_, &info);
}

bool Queue::done(Ticket ticket) const {
    uint64_t reached = 0;
    const VkResult result = vkGetSemaphoreCounterValue(device_.handle(), timeline_, &reached);
    if (result == VK_ERROR_DEVICE_LOST) throwLost(device_, timeline_, "ask for the queue's progress");
    vk(result, "ask for the queue's progress");
    SubmissionLog::of(device_).reached(reached);
    return reached >= ticket;
}

void Queue::wait(Ticket ticket) const {
    ++waitsOfThread;
    const VkSemaphoreWaitInfo info{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &timeline_, .pValues = &ticket};
    const double before = threadMicroseconds();
    const VkResult result = vkWaitSemaphores(device_.handle(), &info, UINT64_MAX);
    if (result == VK_ERROR_DEVICE_LOST) throwLost(device_, timeline_, "wait for the queue");
    vk(result, "wait for the queue");
    SubmissionLog::of(device_).reached(ticket);
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
