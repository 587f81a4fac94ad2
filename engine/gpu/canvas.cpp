#include <splatwright/gpu/canvas.h>

#include <array>

#include <splatwright/gpu/check.h>

namespace splat::gpu {

namespace {

constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkImageSubresourceLayers kLayers{.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1};

VkOffset3D corner(glm::uvec2 size) { return {static_cast<int32_t>(size.x), static_cast<int32_t>(size.y), 1}; }

}  // namespace

Canvas::Canvas(Device& device, glm::uvec2 size) : device_(device), size_(size) {
    if (!device.has(Feature::graphics))
        throw Error("device '{}' has no graphics on its compute queue, which the viewer needs", device.name());
    try {
        const VkImageCreateInfo image{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = kFormat,
                                      .extent = {size_.x, size_.y, 1},
                                      .mipLevels = 1,
                                      .arrayLayers = 1,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
        vk(vkCreateImage(device_.handle(), &image, nullptr, &image_), "create a canvas of {}x{}", size_.x, size_.y);
        device_.nameObject(VK_OBJECT_TYPE_IMAGE, reinterpret_cast<uint64_t>(image_), "canvas");
        VkMemoryRequirements needs;
        vkGetImageMemoryRequirements(device_.handle(), image_, &needs);
        memory_ = std::make_unique<Memory>(device_.memory(), MemoryRequest{.name = "canvas", .needs = needs, .dedicated = true});
        vk(vkBindImageMemory(device_.handle(), image_, memory_->handle(), memory_->offset()), "bind the canvas");
        createRenderPass();
        const VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                         .image = image_,
                                         .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                         .format = kFormat,
                                         .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
        vk(vkCreateImageView(device_.handle(), &view, nullptr, &view_), "view the canvas");
        const VkFramebufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = renderPass_,
                                           .attachmentCount = 1,
                                           .pAttachments = &view_,
                                           .width = size_.x,
                                           .height = size_.y,
                                           .layers = 1};
        vk(vkCreateFramebuffer(device_.handle(), &info, nullptr, &framebuffer_), "create the canvas's framebuffer");
    } catch (...) {
        destroy();
        throw;
    }
}

Canvas::~Canvas() { destroy(); }

void Canvas::destroy() {
    vkDestroyFramebuffer(device_.handle(), framebuffer_, nullptr);
    vkDestroyRenderPass(device_.handle(), renderPass_, nullptr);
    vkDestroyImageView(device_.handle(), view_, nullptr);
    vkDestroyImage(device_.handle(), image_, nullptr);
}

/// Clears the image to black and leaves it ready as a copy source. Earlier copies from it, and the work that wrote its textures, come first.
void Canvas::createRenderPass() {
    const VkAttachmentDescription image{.format = kFormat,
                                        .samples = VK_SAMPLE_COUNT_1_BIT,
                                        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    const VkAttachmentReference reference{.attachment = 0, .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass{
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &reference};
    const std::array<VkSubpassDependency, 2> dependencies{
        VkSubpassDependency{
            .srcSubpass = VK_SUBPASS_EXTERNAL,
            .dstSubpass = 0,
            .srcStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
            .dstStageMask =
                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
            .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT},
        VkSubpassDependency{.srcSubpass = 0,
                            .dstSubpass = VK_SUBPASS_EXTERNAL,
                            .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                            .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                            .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT}};
    const VkRenderPassCreateInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                      .attachmentCount = 1,
                                      .pAttachments = &image,
                                      .subpassCount = 1,
                                      .pSubpasses = &subpass,
                                      .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                      .pDependencies = dependencies.data()};
    vk(vkCreateRenderPass(device_.handle(), &info, nullptr, &renderPass_), "create the canvas's render pass");
}

void Canvas::begin(VkCommandBuffer commands) const {
    const VkClearValue black{.color = {.float32 = {0, 0, 0, 1}}};
    const VkRenderPassBeginInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                     .renderPass = renderPass_,
                                     .framebuffer = framebuffer_,
                                     .renderArea = {.extent = {size_.x, size_.y}},
                                     .clearValueCount = 1,
                                     .pClearValues = &black};
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void Canvas::end(VkCommandBuffer commands) const { vkCmdEndRenderPass(commands); }

void Canvas::blit(VkCommandBuffer commands, VkImage to, glm::uvec2 size) const {
    const VkImageBlit region{
        .srcSubresource = kLayers, .srcOffsets = {{}, corner(size_)}, .dstSubresource = kLayers, .dstOffsets = {{}, corner(size)}};
    vkCmdBlitImage(commands, image_, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region,
                   VK_FILTER_NEAREST);
}

void Canvas::copy(VkCommandBuffer commands, BufferSlice to) const {
    SPLAT_CHECK(to.bytes >= VkDeviceSize{4} * size_.x * size_.y, "{} bytes for a canvas of {}x{}", to.bytes, size_.x, size_.y);
    const VkBufferImageCopy region{.bufferOffset = to.offset, .imageSubresource = kLayers, .imageExtent = {size_.x, size_.y, 1}};
    vkCmdCopyImageToBuffer(commands, image_, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.buffer, 1, &region);
}

}  // namespace splat::gpu
