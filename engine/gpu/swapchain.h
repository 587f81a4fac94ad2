#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gpu/canvas.h"

namespace splat::gpu {

/// Makes a surface of a window; what it returns belongs to the swapchain.
using MakeSurface = std::function<VkSurfaceKHR(VkInstance)>;

/// The images of a window. It is made anew whenever the window system says that it does not fit any more.
class Swapchain {
public:
    /// Throws Error when the device cannot show pictures in this window.
    Swapchain(Device& device, MakeSurface makeSurface, bool verticalSync);
    ~Swapchain();
    Swapchain(const Swapchain&) = delete;
    Swapchain& operator=(const Swapchain&) = delete;

    struct Target {
        VkImage image;
        uint32_t index;
        VkSemaphore shown;  ///< to be signalled by what fills the image
    };

    /// The next image, which `arrived` says when it may be filled; nothing while the window has no area or is being resized: no picture then.
    std::optional<Target> acquire(VkSemaphore arrived, glm::uvec2 windowSize);
    /// Records the canvas onto the image.
    void fill(VkCommandBuffer commands, const Canvas& canvas, const Target& target) const;
    void present(const Target& target);

private:
    void createSurface();
    bool create(glm::uvec2 windowSize);
    void destroyImages();
    void destroySurface();
    VkPresentModeKHR presentMode() const;

    Device& device_;
    MakeSurface makeSurface_;
    bool verticalSync_;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkSurfaceFormatKHR format_{};
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    glm::uvec2 size_{0};
    bool stale_ = true;
    std::vector<VkImage> images_;
    std::vector<VkSemaphore> shown_;
};

}  // namespace splat::gpu
