#pragma once

#include <memory>

#include <glm/glm.hpp>

#include <splatwright/core/image.h>
#include <splatwright/gpu/device.h>

namespace splat::gpu {

/// The colour attachment of a screen, with or without a window.
class Canvas {
public:
    Canvas(Device& device, glm::uvec2 size);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    glm::uvec2 size() const { return size_; }
    VkRenderPass renderPass() const { return renderPass_; }

    /// Begins the render pass, cleared to black and ordered after all earlier work; end() leaves the image ready as a copy source.
    void begin(VkCommandBuffer commands) const;
    void end(VkCommandBuffer commands) const;
    /// Copies the image to another of any format, scaled if sizes differ; the target is in TRANSFER_DST_OPTIMAL.
    void blit(VkCommandBuffer commands, VkImage to, glm::uvec2 size) const;
    /// Copies the image into a buffer of RGBA8 words.
    void copy(VkCommandBuffer commands, BufferSlice to) const;

private:
    void createRenderPass();
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
