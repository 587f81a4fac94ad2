#include <splatwright/gpu/screen.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/gpu/commands.h>

namespace splat::gpu {

Screen::Screen(Device& device, glm::uvec2 size, MakeSurface makeSurface, bool verticalSync)
    : device_(device), canvas_(std::make_unique<Canvas>(device, size)), painter_(std::make_unique<Painter>(device, canvas_->renderPass())) {
    if (makeSurface) swapchain_ = std::make_unique<Swapchain>(device, std::move(makeSurface), verticalSync);
    for (Slot& slot : slots_) {
        const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                           .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                           .queueFamilyIndex = device_.queueFamily()};
        vk(vkCreateCommandPool(device_.handle(), &pool, nullptr, &slot.pool), "create a command pool of the screen");
        const VkCommandBufferAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                   .commandPool = slot.pool,
                                                   .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                   .commandBufferCount = 1};
        vk(vkAllocateCommandBuffers(device_.handle(), &allocate, &slot.commands), "allocate the screen's commands");
        device_.nameObject(VK_OBJECT_TYPE_COMMAND_BUFFER, reinterpret_cast<uint64_t>(slot.commands), "screen");
        const VkSemaphoreCreateInfo semaphore{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
        vk(vkCreateSemaphore(device_.handle(), &semaphore, nullptr, &slot.arrived), "create a semaphore of the screen");
        slot.scratch = std::make_unique<PaintScratch>(device_);
        if (!device_.has(Feature::timestamps)) continue;
        const VkQueryPoolCreateInfo stamps{
            .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
        vk(vkCreateQueryPool(device_.handle(), &stamps, nullptr, &slot.stamps), "create the time stamps of the screen");
    }
}

Screen::~Screen() {
    try {
        device_.queue().waitIdle();
    } catch (const Error& e) {  // a lost device has nothing in flight
        spdlog::debug("while leaving a screen: {}", e.what());
    }
    for (Slot& slot : slots_) {
        vkDestroyQueryPool(device_.handle(), slot.stamps, nullptr);
        vkDestroySemaphore(device_.handle(), slot.arrived, nullptr);
        vkDestroyCommandPool(device_.handle(), slot.pool, nullptr);
    }
}

void Screen::finish() {
    for (const Slot& slot : slots_) device_.wait(slot.ticket);
}

void Screen::resize(glm::uvec2 size) {
    if (size == canvas_->size()) return;
    finish();
    canvas_ = std::make_unique<Canvas>(device_, size);
}

Ticket Screen::show(const Painting& painting) {
    Slot& slot = slots_[shown_ % kInFlight];
    if (!device_.done(slot.ticket)) device_.wait(slot.ticket);
    if (slot.stamps && slot.ticket != 0) {
        std::array<uint64_t, 2> stamps{};
        vk(vkGetQueryPoolResults(device_.handle(), slot.stamps, 0, 2, sizeof(stamps), stamps.data(), 8, VK_QUERY_RESULT_64_BIT),
           "read the time stamps of the screen");
        milliseconds_ = static_cast<double>(stamps[1] - stamps[0]) * device_.timestampPeriod() * 1e-6;
    }
    const auto target = swapchain_ ? swapchain_->acquire(slot.arrived, size()) : std::nullopt;
    vk(vkResetCommandPool(device_.handle(), slot.pool, 0), "reset the screen's commands");
    painter_->takeReloaded(canvas_->renderPass());
    prepareCopy(slot);
    record(slot, painting, target);
    const SubmitOrder order{.wait = target ? slot.arrived : VK_NULL_HANDLE,
                            .stage = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .signal = target ? target->shown : VK_NULL_HANDLE};
    slot.ticket = device_.queue().submit("screen", {&slot.commands, 1}, order);
    if (target) swapchain_->present(*target);
    ++shown_;
    return slot.ticket;
}

void Screen::record(const Slot& slot, const Painting& painting, const std::optional<Swapchain::Target>& target) const {
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    vk(vkBeginCommandBuffer(slot.commands, &begin), "begin the screen's commands");
    const bool labels = device_.instance().hasDebugUtils();
    const VkDebugUtilsLabelEXT label{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "screen"};
    if (labels) vkCmdBeginDebugUtilsLabelEXT(slot.commands, &label);
    if (slot.stamps) {
        vkCmdResetQueryPool(slot.commands, slot.stamps, 0, 2);
        vkCmdWriteTimestamp(slot.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.stamps, 0);  // after all work before it
    }
    canvas_->begin(slot.commands);
    painter_->record(slot.commands, painting, size(), *slot.scratch);
    canvas_->end(slot.commands);
    if (slot.stamps) vkCmdWriteTimestamp(slot.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.stamps, 1);
    if (target) swapchain_->fill(slot.commands, *canvas_, *target);
    if (slot.frameSize.x > 0) recordCopy(slot);
    if (labels) vkCmdEndDebugUtilsLabelEXT(slot.commands);
    vk(vkEndCommandBuffer(slot.commands), "end the screen's commands");
}

/// An earlier frame that nobody took is dropped.
void Screen::prepareCopy(Slot& slot) const {
    slot.frameSize = readsFrames_ ? size() : glm::uvec2(0);
    slot.frameNumber = shown_;
    const size_t pixels = size_t{slot.frameSize.x} * slot.frameSize.y;
    if (pixels * sizeof(uint32_t) > slot.frame.bytes())
        slot.frame = device_.buffer<uint32_t>("frame for the host", pixels, Residence::readback);
}

void Screen::recordCopy(const Slot& slot) const {
    canvas_->copy(slot.commands, slot.frame);
    const VkMemoryBarrier arrives{
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(slot.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &arrives, 0, nullptr, 0, nullptr);
}

bool Screen::hasFrameInFlight() const {
    return std::ranges::any_of(slots_, [](const Slot& slot) { return slot.frameSize.x > 0; });
}

std::optional<Image8> Screen::takeFrame() {
    Slot* newest = nullptr;
    for (Slot& slot : slots_)
        if (slot.frameSize.x > 0 && device_.done(slot.ticket) && (!newest || slot.frameNumber > newest->frameNumber)) newest = &slot;
    if (!newest) return std::nullopt;
    Image8 frame(static_cast<int>(newest->frameSize.x), static_cast<int>(newest->frameSize.y), 4);
    std::copy_n(newest->frame.mapped<uint8_t>(), frame.pixels.size(), frame.pixels.begin());
    const uint64_t taken = newest->frameNumber;
    for (Slot& slot : slots_)
        if (slot.frameNumber <= taken) slot.frameSize = glm::uvec2(0);
    return frame;
}

Image8 Screen::screenshot() {
    const glm::uvec2 size = canvas_->size();
    const size_t pixels = size_t{size.x} * size.y;
    const Buffer readback = device_.buffer<uint32_t>("screenshot", pixels, Residence::readback);
    device_.run("screenshot", [&](Commands& c) { canvas_->copy(c.handle(), readback); });
    return imageOf({readback.mapped<uint32_t>(), pixels}, size);
}

}  // namespace splat::gpu
