#pragma once

#include <cstddef>
#include <span>

#include "gpu/device.h"
#include "gpu/painting.h"

namespace splat::gpu {

/// What a recorded painting needs until it is drawn: one of these a frame in flight.
class PaintScratch {
public:
    explicit PaintScratch(Device& device);
    ~PaintScratch();
    PaintScratch(const PaintScratch&) = delete;
    PaintScratch& operator=(const PaintScratch&) = delete;

private:
    friend class Painter;
    void hold(const Painting& painting);
    VkDescriptorSet bindings(VkDescriptorSetLayout layout, BufferSlice texels);
    void makePool(uint32_t sets);

    Device& device_;
    Buffer vertices_, indices_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    uint32_t sets_ = 0;
};

/// Draws paintings inside a render pass (shaders/screen/paint.slang).
class Painter {
public:
    Painter(Device& device, VkRenderPass renderPass);
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    /// The scratch's last painting must have been drawn.
    void record(VkCommandBuffer commands, const Painting& painting, glm::uvec2 screen, PaintScratch& scratch) const;

private:
    void createLayout();
    void createPipeline(VkRenderPass renderPass);
    void destroy();

    Device& device_;
    VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace splat::gpu
