#include <splatwright/gpu/device.h>

#include <algorithm>
#include <cstring>

#include <fmt/ranges.h>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>
#include <splatwright/gpu/command_pools.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/gpu/pipelines.h>

namespace splat::gpu {

namespace {

thread_local uint32_t triedSubgroup = 0;  // 0: none

}  // namespace

SubgroupTrial::SubgroupTrial(uint32_t size) { triedSubgroup = size; }

SubgroupTrial::~SubgroupTrial() { triedSubgroup = 0; }

Device::Device(const DeviceOptions& options)
    : instance_(options.validation, options.windowExtensions),
      physical_(choosePhysicalDevice(instance_, options)),
      loseSurfaceAt_(options.loseSurfaceAt),
      logical_(physical_, !options.windowExtensions.empty()),
      memory_(handle(), physical(),
              {.bytes = options.memoryLimit > 0 ? options.memoryLimit : UINT64_MAX, .allocations = options.allocationLimit}),
      commandPools_(std::make_unique<CommandPools>(*this, queueFamily())),
      queue_(*this, computeQueue(), options.loseAtSubmission),
      transfers_(makeTransfers()),
      pipelines_(std::make_unique<Pipelines>(*this)) {
    spdlog::debug("device: {}, subgroup size {}", name(), subgroupSize());
    if (!profile().empty()) spdlog::info("{} keeps to profile {}", name(), profile());
    if (!notProven().empty()) spdlog::info("not proven of {} here: {}", profile(), fmt::join(notProven(), ", "));
}

Device::~Device() { vkDeviceWaitIdle(handle()); }

VkQueue Device::computeQueue() const {
    VkQueue queue = VK_NULL_HANDLE;
    vkGetDeviceQueue(handle(), queueFamily(), 0, &queue);
    return queue;
}

/// Without a transfer queue, copies go to the compute queue itself.
TransferQueue Device::makeTransfers() {
    const auto place = physical_.transferQueue();
    if (!place) return TransferQueue(*this, queueFamily(), queue_.handle(), queue_.mutex());
    VkQueue copies = VK_NULL_HANDLE;
    vkGetDeviceQueue(handle(), place->family, place->index, &copies);
    nameObject(VK_OBJECT_TYPE_QUEUE, reinterpret_cast<uint64_t>(copies), "transfer queue");
    return TransferQueue(*this, place->family, copies, copies == queue_.handle() ? queue_.mutex() : transferMutex_);
}

VkSemaphore Device::createTimeline(const std::string& name) const {
    const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                         .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    vk(vkCreateSemaphore(handle(), &info, nullptr, &semaphore), "create the {}", name);
    nameObject(VK_OBJECT_TYPE_SEMAPHORE, reinterpret_cast<uint64_t>(semaphore), name);
    return semaphore;
}

std::vector<uint32_t> Device::queueFamilies() const {
    const uint32_t copies = physical_.transferQueue().value_or(QueuePlace{.family = queueFamily()}).family;
    if (copies == queueFamily()) return {copies};
    return {queueFamily(), copies};
}

SubgroupSizes Device::subgroupSizes() const {
    const VkPhysicalDeviceSubgroupSizeControlProperties& sizes = physical_.probe.subgroupSizes;
    const uint32_t preferred = triedSubgroup > 0 ? triedSubgroup : preferredSubgroup_.load();
    return {.own = preferred > 0 ? preferred : subgroupSize(),
            .smallest = sizes.minSubgroupSize,
            .largest = sizes.maxSubgroupSize,
            .perGroup = sizes.maxComputeWorkgroupSubgroups};
}

uint32_t Device::fullSubgroupSize(const KernelInfo& kernel) const {
    if (!has(Feature::subgroupOperations) || !has(Feature::subgroupSizeControl)) return 0;
    return gpu::fullSubgroupSize(subgroupSizes(), fitting(kernel).groupSize, kernel.subgroupSize);
}

const KernelInfo& Device::fitting(const KernelInfo& kernel) const {
    return kernel.small && kernel.groupsharedBytes > limits().maxComputeSharedMemorySize ? *kernel.small : kernel;
}

void Device::exclude(const KernelInfo& kernel) {
    const std::scoped_lock lock(excludedMutex_);
    excluded_.insert(&fitting(kernel));
}

void Device::include(const KernelInfo& kernel) {
    const std::scoped_lock lock(excludedMutex_);
    excluded_.erase(&fitting(kernel));
}

bool Device::excludes(const KernelInfo& kernel) const {
    const std::scoped_lock lock(excludedMutex_);
    return excluded_.contains(&fitting(kernel));
}

Ticket Device::submit(std::span<const Commands* const> commands, Arrival after) {
    std::vector<VkCommandBuffer> buffers;
    std::vector<std::string> passes;  // stages of all recordings; of those beside the first also their names
    for (const Commands* c : commands) {
        buffers.push_back(c->handle());
        if (c != commands.front()) passes.push_back(c->name());
        passes.insert(passes.end(), c->stages().begin(), c->stages().end());
    }
    const Ticket ticket = queue_.submit(commands.front()->name(), buffers,
                                        {.wait = after.value > 0 ? transfers_.timeline() : VK_NULL_HANDLE, .value = after.value});
    queue_.log().addPasses(ticket, std::move(passes));
    return ticket;
}

void Device::waitForAll() {
    const Ticket last = queue_.last();
    transfers_.wait(transfers_.last());
    wait(last);
}

void Device::run(const std::string& name, const std::function<void(Commands&)>& record) {
    Commands commands(*this, name);
    record(commands);
    commands.end();
    wait(submit(commands));
}

void Device::upload(BufferSlice to, std::span<const std::byte> bytes) {
    SPLAT_CHECK(bytes.size() <= to.bytes, "upload of {} bytes into {}", bytes.size(), to.bytes);
    constexpr size_t kChunk = size_t{64} << 20;  // bounds the host memory of a large upload
    if (bytes.empty()) return;
    const Buffer staging(*this, "upload staging", std::min(bytes.size(), kChunk), 0, Residence::staging);
    for (size_t at = 0; at < bytes.size(); at += kChunk) {
        const size_t part = std::min(kChunk, bytes.size() - at);
        std::memcpy(staging.mapped<std::byte>(), bytes.data() + at, part);
        run("upload", [&](Commands& c) { c.copy(staging.slice(0, part), {to.buffer, to.offset + at, part, to.stride}); });
    }
}

void Device::download(BufferSlice from, std::span<std::byte> bytes) {
    SPLAT_CHECK(bytes.size() <= from.bytes, "download of {} bytes from {}", bytes.size(), from.bytes);
    if (bytes.empty()) return;
    const Buffer staging(*this, "download staging", bytes.size(), 0, Residence::readback);
    run("download", [&](Commands& c) { c.copy({from.buffer, from.offset, bytes.size(), from.stride}, staging); });
    std::memcpy(bytes.data(), staging.mapped<std::byte>(), bytes.size());
}

void Device::replaceKernels(std::map<std::string, std::vector<uint32_t>> codes) { pipelines_->replace(std::move(codes)); }

uint64_t Device::kernelGeneration() const { return pipelines_->generation(); }

std::vector<uint32_t> Device::replacedCode(const std::string& name) const { return pipelines_->replacedCode(name); }

Pipeline Device::pipeline(const KernelArguments& arguments) { return pipelines_->get(arguments); }

void Device::nameObject(VkObjectType type, uint64_t handle, const std::string& name) const {
    if (!instance_.hasDebugUtils()) return;
    const VkDebugUtilsObjectNameInfoEXT info{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                             .objectType = type,
                                             .objectHandle = handle,
                                             .pObjectName = name.c_str()};
    vk(vkSetDebugUtilsObjectNameEXT(logical_.handle(), &info), "name '{}'", name);
}

std::shared_ptr<const void> Device::knownAs(const std::string& name, std::shared_ptr<const void> value) {
    const std::scoped_lock lock(knownMutex_);
    const auto found = known_.find(name);
    if (found != known_.end() || !value) return found == known_.end() ? nullptr : found->second;
    return known_[name] = std::move(value);
}

}  // namespace splat::gpu
