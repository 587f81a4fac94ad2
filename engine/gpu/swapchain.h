#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <splatwright/gpu/canvas.h>

namespace splat::gpu {

/// Creates a surface for a window. The swapchain owns the result.
using MakeSurface = std::function<VkSurfaceKHR(VkInstance)>;

/// A window's presentable images. They are recreated if the window system reports them out of date, on a new surface if it lost the old one.
class Swapchain {
public:
    /// Throws Error if the device cannot present to this window.
    Swapchain(Device& device, MakeSurface makeSurface, bool verticalSync);
    ~Swapchain();
    Swapchain(const Swapchain&) = delete;
    Swapchain& operator=(const Swapchain&) = delete;

    struct Target {
        VkImage image;
        uint32_t index;
        VkSemaphore shown;  ///< signal it when the image is filled
    };

    /// Acquires the next image, which may be written once `arrived` is signalled. Returns nothing while the window has no area or is being
    /// resized.
    std::optional<Target> acquire(VkSemaphore arrived, glm::uvec2 windowSize);
    /// Records a copy of the canvas to the image.
    void fill(VkCommandBuffer commands, const Canvas& canvas, const Target& target) const;
    void present(const Target& target);

private:
    enum class State { fits, outdated, surfaceLost };

    void createSurface();
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
    glm::uvec2 size_{0}, windowSize_{0};  ///< of the images, and of the window when they were created
    State state_ = State::fits;
    uint64_t calls_ = 0;  ///< acquire and present calls so far, for loseSurfaceAt
    std::vector<VkImage> images_;
    std::vector<VkSemaphore> shown_;
};

}  // namespace splat::gpu
