#pragma once

#include <memory>

#include <glm/glm.hpp>

#include "core/image.h"
#include "gpu/device.h"

namespace splat::gpu {

/// The image that everything on a screen is painted on, whether a window shows it or not.
class Canvas {
public:
    Canvas(Device& device, glm::uvec2 size);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    glm::uvec2 size() const { return size_; }
    VkRenderPass renderPass() const { return renderPass_; }

    /// Starts painting on black, after all work before; end() leaves the image ready to be copied from.
    void begin(VkCommandBuffer commands) const;
    void end(VkCommandBuffer commands) const;
    /// Copies the painted image to another one of any format, scaled if its size differs; that one is in the layout for it.
    void blit(VkCommandBuffer commands, VkImage to, glm::uvec2 size) const;
    /// Copies the painted image into a buffer of RGBA8 words.
    void copy(VkCommandBuffer commands, BufferSlice to) const;

private:
    void createImage();
    void createRenderPass();
    void createFramebuffer();
    void destroy();

    Device& device_;
    glm::uvec2 size_;
    VkImage image_ = VK_NULL_HANDLE;
    std::unique_ptr<Memory> memory_;
    VkImageView view_ = VK_NULL_HANDLE;
    VkRenderPass renderPass_ = VK_NULL_HANDLE;
    VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

}  // namespace splat::gpu
