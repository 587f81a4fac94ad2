#include <splatwright/gpu/pipelines.h>

#include <utility>
#include <vector>

#include <splatwright/core/platform/program.h>
#include <splatwright/gpu/check.h>
#include <splatwright/gpu/device.h>
#include <splatwright/gpu/kernel_needs.h>
#include <splatwright/gpu/spirv.h>

namespace splat::gpu {

namespace {

VkDescriptorSetLayout createSetLayout(const Device& device, const KernelInfo& info) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const KernelBinding& b : info.bindings) {
        bindings.push_back({.binding = b.binding,
                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                            .descriptorCount = b.count,
                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT});
    }
    const bool push = device.has(Feature::pushDescriptors);
    const VkDescriptorSetLayoutCreateInfo create{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = push ? VkDescriptorSetLayoutCreateFlags{VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR} : 0,
        .bindingCount = static_cast<uint32_t>(bindings.size()),
        .pBindings = bindings.data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    vk(vkCreateDescriptorSetLayout(device.handle(), &create, nullptr, &layout), "create the bindings of kernel '{}'", info.name);
    return layout;
}

VkPipelineLayout createLayout(const Device& device, const KernelInfo& info, VkDescriptorSetLayout setLayout) {
    const VkPushConstantRange push{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = info.pushBytes};
    const VkPipelineLayoutCreateInfo create{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = 1,
                                            .pSetLayouts = &setLayout,
                                            .pushConstantRangeCount = info.pushBytes > 0 ? 1u : 0u,
                                            .pPushConstantRanges = &push};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    vk(vkCreatePipelineLayout(device.handle(), &create, nullptr, &layout), "create the layout of kernel '{}'", info.name);
    return layout;
}

}  // namespace

Pipelines::Pipelines(Device& device) : device_(device), cache_(device.handle(), device.physical(), platform::userCacheFolder()) {}

Pipelines::~Pipelines() {
    cache_.save();
    for (const auto& [key, p] : pipelines_) destroy(p);
    for (const Pipeline& p : old_) destroy(p);
}

void Pipelines::destroy(const Pipeline& p) const {
    vkDestroyPipeline(device_.handle(), p.pipeline, nullptr);
    vkDestroyPipelineLayout(device_.handle(), p.layout, nullptr);
    vkDestroyDescriptorSetLayout(device_.handle(), p.setLayout, nullptr);
}

Pipeline Pipelines::get(const KernelArguments& arguments) {
    const std::scoped_lock lock(mutex_);
    const KernelInfo& info = device_.fitting(*arguments.info);
    const uint32_t lanes = hasSubgroupOperations(info) ? device_.fullSubgroupSize(info) : 0;
    const Key key{&info, arguments.specialization, lanes};
    const auto found = pipelines_.find(key);
    if (found != pipelines_.end()) return found->second;
    const auto replaced = replaced_.find(info.name);
    const Pipeline p = create(key, replaced == replaced_.end() ? nullptr : &replaced->second);
    pipelines_.emplace(key, p);
    return p;
}

void Pipelines::replace(std::map<std::string, std::vector<uint32_t>> codes) {
    const std::scoped_lock lock(mutex_);
    std::map<std::string, Replacement, std::less<>> replacements;
    for (auto& [name, code] : codes) {
        auto capabilities = capabilitiesOf(code);
        replacements[name] = {std::move(code), std::move(capabilities)};
    }
    std::vector<std::pair<Key, Pipeline>> made;
    try {
        for (const auto& [key, p] : pipelines_) {
            const auto replacement = replacements.find(std::get<0>(key)->name);
            if (replacement != replacements.end()) made.emplace_back(key, create(key, &replacement->second));
        }
    } catch (...) {
        for (const auto& [key, p] : made) destroy(p);
        throw;
    }
    for (const auto& [key, p] : made) old_.push_back(std::exchange(pipelines_.at(key), p));
    for (auto& [name, replacement] : replacements) replaced_[name] = std::move(replacement);
    ++generation_;
}

std::vector<uint32_t> Pipelines::replacedCode(const std::string& name) {
    const std::scoped_lock lock(mutex_);
    const auto found = replaced_.find(name);
    return found == replaced_.end() ? std::vector<uint32_t>{} : found->second.code;
}

Pipeline Pipelines::create(const Key& key, const Replacement* replacement) const {
    KernelInfo info = *std::get<0>(key);
    if (replacement) {
        info.code = replacement->code;
        info.capabilities = replacement->capabilities;
    }
    if (const std::string missing = missingFor(device_, info); !missing.empty())
        throw Error("kernel '{}' needs {}, which device '{}' lacks or which is disabled", info.name, missing, device_.name());
    Pipeline p;
    try {
        create(info, key, p);
    } catch (...) {
        destroy(p);
        throw;
    }
    return p;
}

void Pipelines::create(const KernelInfo& info, const Key& key, Pipeline& p) const {
    const auto& [unused, constants, lanes] = key;
    const bool subgroups = hasSubgroupOperations(info);
    const std::vector<uint32_t> reconverging =
        subgroups && device_.has(Feature::maximalReconvergence) ? withMaximalReconvergence(info.code) : std::vector<uint32_t>{};
    const std::span<const uint32_t> code = reconverging.empty() ? info.code : reconverging;
    p.setLayout = createSetLayout(device_, info);
    p.layout = createLayout(device_, info, p.setLayout);

    const VkShaderModuleCreateInfo module{
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code.size_bytes(), .pCode = code.data()};
    VkShaderModule shader = VK_NULL_HANDLE;
    vk(vkCreateShaderModule(device_.handle(), &module, nullptr, &shader), "create the shader of kernel '{}'", info.name);

    std::vector<VkSpecializationMapEntry> entries;
    for (uint32_t i = 0; i < info.specializationIds.size(); ++i) entries.push_back({info.specializationIds[i], i * 4, 4});
    const VkSpecializationInfo specialization{.mapEntryCount = static_cast<uint32_t>(entries.size()),
                                              .pMapEntries = entries.data(),
                                              .dataSize = sizeof(constants),
                                              .pData = constants.data()};
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo pinned{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = lanes > 0 ? lanes : device_.fullSubgroupSize(info)};  // a replacement may be the first with subgroups
    const VkComputePipelineCreateInfo create{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = subgroups ? &pinned : nullptr,
                  .flags = subgroups ? VkPipelineShaderStageCreateFlags{VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT} : 0,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader,
                  .pName = info.name,
                  .pSpecializationInfo = entries.empty() ? nullptr : &specialization},
        .layout = p.layout};
    const VkResult result = vkCreateComputePipelines(device_.handle(), cache_.handle(), 1, &create, nullptr, &p.pipeline);
    vkDestroyShaderModule(device_.handle(), shader, nullptr);
    vk(result, "create the pipeline of kernel '{}'", info.name);
    device_.nameObject(VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<uint64_t>(p.pipeline), info.name);
}

}  // namespace splat::gpu
