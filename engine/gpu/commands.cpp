#include <splatwright/gpu/commands.h>

#include <array>
#include <utility>

#include <splatwright/gpu/check.h>
#include <splatwright/gpu/pipelines.h>

namespace splat::gpu {

namespace {

constexpr uint32_t kMaxStamps = 64;
constexpr uint32_t kSetsPerPool = 64;

}  // namespace

Commands::Commands(Device& device, std::string name, StageTimes times)
    : device_(&device), name_(std::move(name)), pool_(&device.commandPools().ofThisThread()), buffer_(pool_->allocate(name_)) {
    device.nameObject(VK_OBJECT_TYPE_COMMAND_BUFFER, reinterpret_cast<uint64_t>(buffer_), name_);
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    vk(vkBeginCommandBuffer(buffer_, &begin), "begin commands '{}'", name_);
    if (times == StageTimes::measured && device.has(Feature::timestamps)) {
        const VkQueryPoolCreateInfo pool{
            .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = kMaxStamps};
        vk(vkCreateQueryPool(device.handle(), &pool, nullptr, &queries_), "create the time stamps of '{}'", name_);
        vkCmdResetQueryPool(buffer_, queries_, 0, kMaxStamps);
    }
    beginLabel(name_);
    barrier(true, true);
}

Commands::~Commands() {
    if (!device_) return;
    for (VkDescriptorPool pool : pools_) vkDestroyDescriptorPool(device_->handle(), pool, nullptr);
    vkDestroyQueryPool(device_->handle(), queries_, nullptr);
    // The validation layer of 2023 drops a freed buffer's labels on its own thread, some time later and by handle. A new buffer may have that
    // handle by then, and the layer writes to freed memory. So handles are not reused under validation.
    if (!device_->instance().validates()) pool_->free(buffer_);
}

Commands::Commands(Commands&& other) noexcept
    : device_(std::exchange(other.device_, nullptr)),
      name_(std::move(other.name_)),
      pool_(other.pool_),
      buffer_(other.buffer_),
      queries_(other.queries_),
      pools_(std::move(other.pools_)),
      setsInPool_(other.setsInPool_),
      usedBefore_(std::move(other.usedBefore_)),
      stages_(std::move(other.stages_)),
      stamps_(other.stamps_),
      stageOpen_(other.stageOpen_) {}

void Commands::dispatchGroups(const KernelArguments& arguments, uint64_t groups) {
    SPLAT_CHECK(groups <= uint64_t{kFoldedGroups} * shared::kMostFolds, "kernel '{}': {} groups", arguments.info->name, groups);
    const uint64_t rows = groupsFor(groups, kFoldedGroups);
    dispatchGrid(arguments, static_cast<uint32_t>(rows > 1 ? kFoldedGroups : groups), static_cast<uint32_t>(std::max<uint64_t>(rows, 1)));
}

void Commands::dispatchGrid(const KernelArguments& arguments, uint32_t x, uint32_t y) {
    if (x == 0 || y == 0) return;
    const Pipeline pipeline = device_->pipeline(arguments);
    beginLabel(arguments.info->name);
    bind(arguments, pipeline);
    vkCmdDispatch(buffer_, x, y, 1);
    endLabel();
}

void Commands::dispatchIndirect(const KernelArguments& arguments, BufferSlice groups) {
    const Pipeline pipeline = device_->pipeline(arguments);
    beginLabel(arguments.info->name);
    bind(arguments, pipeline, groups.buffer);
    vkCmdDispatchIndirect(buffer_, groups.buffer, groups.offset);
    endLabel();
}

void Commands::bind(const KernelArguments& a, const Pipeline& pipeline, VkBuffer groupCounts) {
    std::vector<Use> uses;
    if (groupCounts) uses.push_back({.buffer = groupCounts, .groupCounts = true});
    std::array<VkDescriptorBufferInfo, kMaxKernelBuffers> buffers;
    size_t next = 0;
    std::vector<VkWriteDescriptorSet> writes;
    for (const KernelBinding& b : a.info->bindings) {
        writes.push_back({.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                          .dstBinding = b.binding,
                          .descriptorCount = b.count,
                          .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                          .pBufferInfo = &buffers[next]});
        for (uint32_t i = 0; i < b.count; ++i, ++next) {
            const BufferSlice& s = a.buffers[next];
            SPLAT_CHECK(s, "kernel '{}': buffer '{}' is empty", a.info->name, b.name);
            SPLAT_CHECK(s.stride == 0 || s.stride == b.stride, "kernel '{}': buffer '{}' holds elements of {} bytes, expected {}",
                        a.info->name, b.name, s.stride, b.stride);
            SPLAT_CHECK(s.offset % device_->limits().minStorageBufferOffsetAlignment == 0, "kernel '{}': buffer '{}' is bound at {}",
                        a.info->name, b.name, s.offset);
            uses.push_back({.buffer = s.buffer, .written = b.written});
            buffers[next] = {s.buffer, s.offset, s.bytes};
        }
    }
    orderHazards(Stage::kernels, uses);
    vkCmdBindPipeline(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
    if (device_->has(Feature::pushDescriptors)) {
        vkCmdPushDescriptorSetKHR(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, static_cast<uint32_t>(writes.size()),
                                  writes.data());
    } else {
        bindSet(pipeline, writes);
    }
    if (a.info->pushBytes > 0) {
        vkCmdPushConstants(buffer_, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, a.info->pushBytes, a.push.data());
    }
}

void Commands::bindSet(const Pipeline& pipeline, std::vector<VkWriteDescriptorSet>& writes) {
    if (pools_.empty() || setsInPool_ == kSetsPerPool) {
        const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSetsPerPool * static_cast<uint32_t>(kMaxKernelBuffers)};
        const VkDescriptorPoolCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = kSetsPerPool, .poolSizeCount = 1, .pPoolSizes = &size};
        VkDescriptorPool pool = VK_NULL_HANDLE;
        vk(vkCreateDescriptorPool(device_->handle(), &info, nullptr, &pool), "create descriptors for '{}'", name_);
        pools_.push_back(pool);
        setsInPool_ = 0;
    }
    const VkDescriptorSetAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                               .descriptorPool = pools_.back(),
                                               .descriptorSetCount = 1,
                                               .pSetLayouts = &pipeline.setLayout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    vk(vkAllocateDescriptorSets(device_->handle(), &allocate, &set), "allocate descriptors for '{}'", name_);
    ++setsInPool_;
    for (VkWriteDescriptorSet& w : writes) w.dstSet = set;
    vkUpdateDescriptorSets(device_->handle(), static_cast<uint32_t>(writes.size()), writes.data(), 0, nullptr);
    vkCmdBindDescriptorSets(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &set, 0, nullptr);
}

void Commands::fill(BufferSlice slice, uint32_t word) {
    orderHazards(Stage::transfers, {{.buffer = slice.buffer, .written = true}});
    vkCmdFillBuffer(buffer_, slice.buffer, slice.offset, slice.bytes & ~VkDeviceSize{3}, word);
}

void Commands::copy(BufferSlice from, BufferSlice to) {
    SPLAT_CHECK(from.bytes <= to.bytes, "copy of {} bytes into {}", from.bytes, to.bytes);
    if (from.bytes == 0) return;
    orderHazards(Stage::transfers, {{.buffer = from.buffer}, {.buffer = to.buffer, .written = true}});
    const VkBufferCopy region{from.offset, to.offset, from.bytes};
    vkCmdCopyBuffer(buffer_, from.buffer, to.buffer, 1, &region);
}

void Commands::orderHazards(Stage stage, const std::vector<Use>& uses) {
    const auto owner = [&](const Use& use) { return device_->aliases().ownerOf(use.buffer); };
    bool waits = false, waitsForCounts = false;
    for (const Use& use : uses) {
        const Stage waiting = use.groupCounts ? Stage::groupCounts : stage;
        const auto& before = usedBefore_[index(waiting)];
        const auto last = before.find(owner(use));
        const bool hazard = last != before.end() && (last->second || use.written);
        waits |= hazard;
        waitsForCounts |= hazard && use.groupCounts;
    }
    if (waits) barrier(stage == Stage::transfers, waitsForCounts);
    for (const Use& use : uses) {
        for (auto& before : usedBefore_) before[owner(use)] |= use.written;
    }
}

void Commands::barrier(bool forTransfers, bool forGroupCounts) {
    const VkPipelineStageFlags kAll = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkAccessFlags access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    usedBefore_[index(Stage::kernels)].clear();
    if (forTransfers) {
        stages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        access |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
        usedBefore_[index(Stage::transfers)].clear();
    }
    if (forGroupCounts) {
        stages |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
        access |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
        usedBefore_[index(Stage::groupCounts)].clear();
    }
    const VkMemoryBarrier memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask = access};
    vkCmdPipelineBarrier(buffer_, kAll, stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

void Commands::stage(const std::string& name) {
    if (stageOpen_) endLabel();
    stamp();
    beginLabel(name);
    stages_.push_back(name);
    stageOpen_ = true;
}

void Commands::stamp() {
    if (!queries_) return;
    SPLAT_CHECK(stamps_ < kMaxStamps, "'{}' has more than {} stages", name_, kMaxStamps - 1);
    vkCmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, stamps_++);
}

void Commands::copyTimestamps(BufferSlice to) {
    if (stageOpen_) endLabel();
    stageOpen_ = false;
    if (!queries_) return;
    stamp();
    orderHazards(Stage::transfers, {{.buffer = to.buffer, .written = true}});
    vkCmdCopyQueryPoolResults(buffer_, queries_, 0, stamps_, to.buffer, to.offset, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

void Commands::end() {
    if (stageOpen_) {
        endLabel();
        stamp();
        stageOpen_ = false;
    }
    endLabel();
    const VkMemoryBarrier memory{
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(buffer_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0, nullptr);
    vk(vkEndCommandBuffer(buffer_), "end commands '{}'", name_);
}

std::vector<double> Commands::stageMilliseconds() const {
    std::vector<double> result(stages_.size(), 0.0);
    if (!queries_ || stamps_ < 2) return result;
    std::vector<uint64_t> stamps(stamps_);
    vk(vkGetQueryPoolResults(device_->handle(), queries_, 0, stamps_, stamps.size() * 8, stamps.data(), 8, VK_QUERY_RESULT_64_BIT),
       "read the time stamps of '{}'", name_);
    for (size_t i = 0; i < result.size(); ++i)
        result[i] = static_cast<double>(stamps[i + 1] - stamps[i]) * device_->timestampPeriod() * 1e-6;
    return result;
}

void Commands::beginLabel(const std::string& name) const {
    if (!device_->instance().hasDebugUtils()) return;
    const VkDebugUtilsLabelEXT label{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name.c_str()};
    vkCmdBeginDebugUtilsLabelEXT(buffer_, &label);
}

void Commands::endLabel() const {
    if (device_->instance().hasDebugUtils()) vkCmdEndDebugUtilsLabelEXT(buffer_);
}

}  // namespace splat::gpu
