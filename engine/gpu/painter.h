#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <splatwright/gpu/device.h>
#include <splatwright/gpu/painting.h>

namespace splat::gpu {

/// Buffers and descriptors of a recorded painting: one per frame in flight.
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

    /// Switches to a reloaded shader (gpu/reload.h), if there is one; keeps the old one if the driver refuses it.
    void takeReloaded(VkRenderPass renderPass);
    /// The last painting recorded with this scratch must be done.
    void record(VkCommandBuffer commands, const Painting& painting, glm::uvec2 screen, PaintScratch& scratch) const;

private:
    void createLayout();
    VkPipeline createPipeline(VkRenderPass renderPass, std::span<const uint32_t> code) const;
    void destroy();

    Device& device_;
    VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    std::vector<VkPipeline> old_;   ///< still used by paintings in flight
    std::vector<uint32_t> loaded_;  ///< code in use since the last reload
    uint64_t generation_ = 0;       ///< Device::kernelGeneration() at the last check
};

}  // namespace splat::gpu
