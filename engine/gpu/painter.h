#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

    /// Takes its shader into use where it was compiled anew (gpu/reload.h); keeps the old one where the driver refuses it.
    void takeReloaded(VkRenderPass renderPass);
    /// The scratch's last painting must have been drawn.
    void record(VkCommandBuffer commands, const Painting& painting, glm::uvec2 screen, PaintScratch& scratch) const;

private:
    void createLayout();
    VkPipeline createPipeline(VkRenderPass renderPass, std::span<const uint32_t> code) const;
    void destroy();

    Device& device_;
    VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    std::vector<VkPipeline> old_;   ///< paintings in flight have them
    std::vector<uint32_t> loaded_;  ///< code that took the build's place
    uint64_t generation_ = 0;       ///< of the device's kernels, looked at last
};

}  // namespace splat::gpu
