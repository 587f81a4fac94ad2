#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gpu/canvas.h"

namespace splat::gpu {

/// Makes a surface of a window; what it returns belongs to the swapchain.
using MakeSurface = std::function<VkSurfaceKHR(VkInstance)>;

/// The images of a window. They are made anew whenever the window system says that they do not fit any more, on another surface where it has lost
/// this one.
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
    enum class State { fits, outdated, surfaceLost };

    void createSurface();
    void replaceSurface();
    bool create(glm::uvec2 windowSize);
    bool createImages(const VkSurfaceCapabilitiesKHR& can, VkExtent2D extent);
    void destroyImages();
    void destroySurface();
    VkPresentModeKHR presentMode() const;
    bool accepted(VkResult result, const char* doing);
    bool losesSurface();

    Device& device_;
    MakeSurface makeSurface_;
    bool verticalSync_;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkSurfaceFormatKHR format_{};
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    glm::uvec2 size_{0}, windowSize_{0};  ///< of the images, and what the window's was when they were made
    State state_ = State::fits;
    uint64_t calls_ = 0;  ///< that the surface may get lost in
    std::vector<VkImage> images_;
    std::vector<VkSemaphore> shown_;
};

}  // namespace splat::gpu
