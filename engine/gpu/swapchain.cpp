#include <splatwright/gpu/swapchain.h>

#include <algorithm>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>

namespace splat::gpu {

namespace {

template <class T, class List>
std::vector<T> listOf(const char* what, List&& list) {
    uint32_t count = 0;
    vk(list(&count, nullptr), "count {}", what);
    std::vector<T> found(count);
    vk(list(&count, found.data()), "list {}", what);
    return found;
}

/// 8 bits per channel without sRGB conversion: pixel values reach the monitor unchanged.
VkSurfaceFormatKHR formatOf(const std::vector<VkSurfaceFormatKHR>& formats) {
    for (const VkFormat wanted : {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A8B8G8R8_UNORM_PACK32}) {
        for (const VkSurfaceFormatKHR& f : formats) {
            if (f.format == wanted) return f;
        }
    }
    throw Error("the window offers {} formats, none with 8 bits per channel and no conversion", formats.size());
}

void transition(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
    const bool before = to == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    const VkImageMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                       .srcAccessMask = before ? VkAccessFlags{0} : VkAccessFlags{VK_ACCESS_TRANSFER_WRITE_BIT},
                                       .dstAccessMask = before ? VkAccessFlags{VK_ACCESS_TRANSFER_WRITE_BIT} : VkAccessFlags{0},
                                       .oldLayout = from,
                                       .newLayout = to,
                                       .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .image = image,
                                       .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

}  // namespace

Swapchain::Swapchain(Device& device, MakeSurface makeSurface, bool verticalSync)
    : device_(device), makeSurface_(std::move(makeSurface)), verticalSync_(verticalSync) {
    try {
        createSurface();
    } catch (...) {
        destroySurface();
        throw;
    }
}

Swapchain::~Swapchain() {
    destroyImages();
    destroySurface();
}

void Swapchain::createSurface() {
    surface_ = makeSurface_(device_.instance().handle());
    VkBool32 shows = VK_FALSE;
    vk(vkGetPhysicalDeviceSurfaceSupportKHR(device_.physical(), device_.queueFamily(), surface_, &shows),
       "ask whether the window can be shown on");
    if (!shows) throw Error("device '{}' cannot present to this window: choose the one that drives the display (`device`)", device_.name());
    format_ = formatOf(listOf<VkSurfaceFormatKHR>("formats of the window", [&](uint32_t* count, VkSurfaceFormatKHR* to) {
        return vkGetPhysicalDeviceSurfaceFormatsKHR(device_.physical(), surface_, count, to);
    }));
}

void Swapchain::destroySurface() { vkDestroySurfaceKHR(device_.instance().handle(), std::exchange(surface_, VK_NULL_HANDLE), nullptr); }

void Swapchain::destroyImages() {
    for (VkSemaphore s : shown_) vkDestroySemaphore(device_.handle(), s, nullptr);
    shown_.clear();
    vkDestroySwapchainKHR(device_.handle(), std::exchange(swapchain_, VK_NULL_HANDLE), nullptr);
}

/// Without vertical sync the newest frame is presented at once, and may tear.
VkPresentModeKHR Swapchain::presentMode() const {
    if (verticalSync_) return VK_PRESENT_MODE_FIFO_KHR;
    const auto modes = listOf<VkPresentModeKHR>("present modes", [&](uint32_t* count, VkPresentModeKHR* to) {
        return vkGetPhysicalDeviceSurfacePresentModesKHR(device_.physical(), surface_, count, to);
    });
    for (const VkPresentModeKHR wanted : {VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR}) {
        if (std::ranges::find(modes, wanted) != modes.end()) return wanted;
    }
    return VK_PRESENT_MODE_FIFO_KHR;
}

/// False if the images must be recreated, with or without a new surface. Throws Error for any other failure.
bool Swapchain::accepted(VkResult result, const char* doing) {
    if (result == VK_SUCCESS) return true;
    if (result == VK_ERROR_SURFACE_LOST_KHR) {
        state_ = State::surfaceLost;
        return false;
    }
    if (result != VK_SUBOPTIMAL_KHR && result != VK_ERROR_OUT_OF_DATE_KHR) vk(result, "{}", doing);
    state_ = State::outdated;
    return result == VK_SUBOPTIMAL_KHR;  // this frame is still presented
}

/// Whether this is the call of DeviceOptions::loseSurfaceAt.
bool Swapchain::losesSurface() { return ++calls_ == device_.loseSurfaceAt(); }

/// False if the window has no area, or the surface is lost meanwhile.
bool Swapchain::create(glm::uvec2 windowSize) {
    device_.queue().waitIdle();
    if (state_ == State::surfaceLost) {
        spdlog::debug("the window's surface is lost: on with another one");
        destroyImages();
        destroySurface();
        createSurface();
    }
    state_ = State::outdated;
    VkSurfaceCapabilitiesKHR can{};
    if (!accepted(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical(), surface_, &can), "ask what the window can do"))
        return false;
    const bool free = can.currentExtent.width == UINT32_MAX;
    const VkExtent2D extent{
        free ? std::clamp(windowSize.x, can.minImageExtent.width, can.maxImageExtent.width) : can.currentExtent.width,
        free ? std::clamp(windowSize.y, can.minImageExtent.height, can.maxImageExtent.height) : can.currentExtent.height};
    if (extent.width == 0 || extent.height == 0 || !createImages(can, extent)) return false;
    windowSize_ = windowSize;
    state_ = State::fits;
    return true;
}

bool Swapchain::createImages(const VkSurfaceCapabilitiesKHR& can, VkExtent2D extent) {
    const uint32_t images = can.minImageCount + 1;
    const VkSwapchainCreateInfoKHR info{.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                        .surface = surface_,
                                        .minImageCount = can.maxImageCount > 0 ? std::min(images, can.maxImageCount) : images,
                                        .imageFormat = format_.format,
                                        .imageColorSpace = format_.colorSpace,
                                        .imageExtent = extent,
                                        .imageArrayLayers = 1,
                                        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                        .preTransform = can.currentTransform,
                                        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                        .presentMode = presentMode(),
                                        .clipped = VK_TRUE,
                                        .oldSwapchain = swapchain_};
    VkSwapchainKHR made = VK_NULL_HANDLE;
    const VkResult result = vkCreateSwapchainKHR(device_.handle(), &info, nullptr, &made);
    destroyImages();  // the old ones are retired even if creating the new failed
    if (!accepted(result, "create the images of the window")) return false;
    swapchain_ = made;
    size_ = {extent.width, extent.height};
    images_ = listOf<VkImage>(
        "swapchain images", [&](uint32_t* count, VkImage* to) { return vkGetSwapchainImagesKHR(device_.handle(), swapchain_, count, to); });
    const VkSemaphoreCreateInfo semaphore{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    shown_.resize(images_.size());
    for (VkSemaphore& s : shown_) vk(vkCreateSemaphore(device_.handle(), &semaphore, nullptr, &s), "create a semaphore of the swapchain");
    return true;
}

/// A failed acquire leaves the semaphore unsignalled, so the next attempt can use it.
std::optional<Swapchain::Target> Swapchain::acquire(VkSemaphore arrived, glm::uvec2 windowSize) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        const bool fits = swapchain_ && state_ == State::fits && windowSize == windowSize_;
        if (!fits && !create(windowSize)) continue;
        uint32_t index = 0;
        const VkResult result = losesSurface()
                                    ? VK_ERROR_SURFACE_LOST_KHR
                                    : vkAcquireNextImageKHR(device_.handle(), swapchain_, UINT64_MAX, arrived, VK_NULL_HANDLE, &index);
        if (accepted(result, "acquire an image of the window")) return Target{images_[index], index, shown_[index]};
    }
    return std::nullopt;
}

void Swapchain::fill(VkCommandBuffer commands, const Canvas& canvas, const Target& target) const {
    transition(commands, target.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    canvas.blit(commands, target.image, size_);
    transition(commands, target.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}

void Swapchain::present(const Target& target) {
    const VkPresentInfoKHR info{.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &target.shown,
                                .swapchainCount = 1,
                                .pSwapchains = &swapchain_,
                                .pImageIndices = &target.index};
    const VkResult result = device_.queue().present(info);
    accepted(losesSurface() ? VK_ERROR_SURFACE_LOST_KHR : result, "show a picture in the window");
}

}  // namespace splat::gpu
