#include <splatwright/gpu/painter.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>

namespace splat::gpu {

std::span<const uint32_t> paintShader();  // generated from shaders/screen/paint.slang

namespace {

/// PaintRange of the shader.
struct RangeConstants {
    glm::vec2 screen;
    uint32_t firstIndex;
    uint32_t firstVertex;
    glm::uvec2 texture;
};

constexpr uint32_t kBindings = 3;  // vertices, indices, texels
constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

/// Copies the bytes into the buffer, enlarging it if needed; old contents are lost.
template <class T>
void put(Device& device, Buffer& buffer, const char* name, const std::vector<T>& values) {
    const size_t bytes = values.size() * sizeof(T);
    if (buffer.bytes() < bytes || !buffer) buffer = device.buffer<T>(name, values.size() + values.size() / 2 + 1024, Residence::staging);
    if (bytes > 0) std::memcpy(buffer.mapped<T>(), values.data(), bytes);
}

}  // namespace

PaintScratch::PaintScratch(Device& device) : device_(device) {}

PaintScratch::~PaintScratch() { vkDestroyDescriptorPool(device_.handle(), pool_, nullptr); }

void PaintScratch::hold(const Painting& painting) {
    put(device_, vertices_, "painted vertices", painting.vertices);
    put(device_, indices_, "painted indices", painting.indices);
    const auto ranges = static_cast<uint32_t>(painting.ranges.size());
    if (ranges > sets_) {
        vkDestroyDescriptorPool(device_.handle(), std::exchange(pool_, VK_NULL_HANDLE), nullptr);
        const uint32_t sets = ranges + ranges / 2 + 16;
        const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets * kBindings};
        const VkDescriptorPoolCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = sets, .poolSizeCount = 1, .pPoolSizes = &size};
        vk(vkCreateDescriptorPool(device_.handle(), &info, nullptr, &pool_), "create the descriptors of {} textures", sets);
        sets_ = sets;
    } else if (pool_) {
        vk(vkResetDescriptorPool(device_.handle(), pool_, 0), "reset the descriptors of textures");
    }
}

VkDescriptorSet PaintScratch::bindings(VkDescriptorSetLayout layout, BufferSlice texels) {
    const VkDescriptorSetAllocateInfo allocate{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool_, .descriptorSetCount = 1, .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    vk(vkAllocateDescriptorSets(device_.handle(), &allocate, &set), "allocate the descriptors of a texture");
    const std::array<BufferSlice, kBindings> slices{vertices_, indices_, texels};
    std::array<VkDescriptorBufferInfo, kBindings> buffers{};
    std::array<VkWriteDescriptorSet, kBindings> writes{};
    for (uint32_t i = 0; i < kBindings; ++i) {
        buffers[i] = {slices[i].buffer, slices[i].offset, slices[i].bytes};
        writes[i] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                     .dstSet = set,
                     .dstBinding = i,
                     .descriptorCount = 1,
                     .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                     .pBufferInfo = &buffers[i]};
    }
    vkUpdateDescriptorSets(device_.handle(), kBindings, writes.data(), 0, nullptr);
    return set;
}

Painter::Painter(Device& device, VkRenderPass renderPass) : device_(device) {
    try {
        createLayout();
        pipeline_ = createPipeline(renderPass, paintShader());
    } catch (...) {
        destroy();
        throw;
    }
}

Painter::~Painter() { destroy(); }

void Painter::destroy() {
    for (VkPipeline p : old_) vkDestroyPipeline(device_.handle(), p, nullptr);
    vkDestroyPipeline(device_.handle(), pipeline_, nullptr);
    vkDestroyPipelineLayout(device_.handle(), layout_, nullptr);
    vkDestroyDescriptorSetLayout(device_.handle(), setLayout_, nullptr);
}

void Painter::createLayout() {
    std::array<VkDescriptorSetLayoutBinding, kBindings> bindings{};
    for (uint32_t i = 0; i < kBindings; ++i)
        bindings[i] = {.binding = i, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = 1, .stageFlags = kStages};
    const VkDescriptorSetLayoutCreateInfo set{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = kBindings, .pBindings = bindings.data()};
    vk(vkCreateDescriptorSetLayout(device_.handle(), &set, nullptr, &setLayout_), "create the painter's bindings");
    const VkPushConstantRange push{.stageFlags = kStages, .size = sizeof(RangeConstants)};
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = 1,
                                            .pSetLayouts = &setLayout_,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &push};
    vk(vkCreatePipelineLayout(device_.handle(), &layout, nullptr, &layout_), "create the painter's layout");
}

VkPipeline Painter::createPipeline(VkRenderPass renderPass, std::span<const uint32_t> code) const {
    const VkShaderModuleCreateInfo module{
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code.size_bytes(), .pCode = code.data()};
    VkShaderModule shader = VK_NULL_HANDLE;
    vk(vkCreateShaderModule(device_.handle(), &module, nullptr, &shader), "create the painter's shader");
    const auto stage = [&](VkShaderStageFlagBits bit, const char* entry) {
        return VkPipelineShaderStageCreateInfo{
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = bit, .module = shader, .pName = entry};
    };
    const std::array stages{stage(VK_SHADER_STAGE_VERTEX_BIT, "paintVertex"), stage(VK_SHADER_STAGE_FRAGMENT_BIT, "paintFragment")};
    const VkPipelineVertexInputStateCreateInfo vertices{.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly{.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                          .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineViewportStateCreateInfo viewport{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo rasterization{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .cullMode = VK_CULL_MODE_NONE, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples{.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                       .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState over{.blendEnable = VK_TRUE,
                                                   .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                                   .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                   .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                   .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                   .colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &over};
    const std::array dynamic{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamics{.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                    .dynamicStateCount = static_cast<uint32_t>(dynamic.size()),
                                                    .pDynamicStates = dynamic.data()};
    const VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                            .stageCount = static_cast<uint32_t>(stages.size()),
                                            .pStages = stages.data(),
                                            .pVertexInputState = &vertices,
                                            .pInputAssemblyState = &assembly,
                                            .pViewportState = &viewport,
                                            .pRasterizationState = &rasterization,
                                            .pMultisampleState = &samples,
                                            .pColorBlendState = &blend,
                                            .pDynamicState = &dynamics,
                                            .layout = layout_,
                                            .renderPass = renderPass};
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = vkCreateGraphicsPipelines(device_.handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vkDestroyShaderModule(device_.handle(), shader, nullptr);
    vk(result, "create the painter's pipeline");
    device_.nameObject(VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<uint64_t>(pipeline), "paint");
    return pipeline;
}

void Painter::takeReloaded(VkRenderPass renderPass) {
    const uint64_t generation = device_.kernelGeneration();
    if (std::exchange(generation_, generation) == generation) return;
    std::vector<uint32_t> code = device_.replacedCode("paint");
    if (code == loaded_) return;
    try {
        old_.push_back(std::exchange(pipeline_, createPipeline(renderPass, code)));
        loaded_ = std::move(code);
    } catch (const Error& problem) {
        spdlog::error("paint: {}", problem.what());
    }
}

void Painter::record(VkCommandBuffer commands, const Painting& painting, glm::uvec2 screen, PaintScratch& scratch) const {
    scratch.hold(painting);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
    const VkViewport viewport{.width = static_cast<float>(screen.x), .height = static_cast<float>(screen.y), .maxDepth = 1};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    std::map<std::pair<VkBuffer, VkDeviceSize>, VkDescriptorSet> sets;
    for (const PaintRange& range : painting.ranges) {
        const glm::ivec2 low = glm::clamp(range.clipLow, glm::ivec2(0), glm::ivec2(screen));
        const glm::ivec2 high = glm::clamp(range.clipHigh, low, glm::ivec2(screen));
        if (range.indices == 0 || high.x == low.x || high.y == low.y) continue;
        const VkRect2D scissor{{low.x, low.y}, {static_cast<uint32_t>(high.x - low.x), static_cast<uint32_t>(high.y - low.y)}};
        vkCmdSetScissor(commands, 0, 1, &scissor);
        const BufferSlice& texels = range.texture.texels;
        VkDescriptorSet& set = sets[{texels.buffer, texels.offset}];
        if (!set) set = scratch.bindings(setLayout_, texels);
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set, 0, nullptr);
        const RangeConstants constants{glm::vec2(screen), range.firstIndex, range.firstVertex, range.texture.size};
        vkCmdPushConstants(commands, layout_, kStages, 0, sizeof(constants), &constants);
        vkCmdDraw(commands, range.indices, 1, 0, 0);
    }
}

}  // namespace splat::gpu
