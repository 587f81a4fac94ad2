#include "gpu/device.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/ranges.h>

#include "core/log.h"
#include "core/threads.h"
#include "gpu/check.h"
#include "gpu/command_pools.h"
#include "gpu/commands.h"
#include "gpu/pipelines.h"

namespace splat::gpu {

namespace {

thread_local uint64_t waitsOfThread = 0;
thread_local double microsecondsOfWaits = 0;

const char* typeName(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete";
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated";
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual";
        case VK_PHYSICAL_DEVICE_TYPE_CPU: return "cpu";
        default: return "other";
    }
}

VkDeviceSize largestDeviceHeap(VkPhysicalDevice device) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    VkDeviceSize largest = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) largest = std::max(largest, memory.memoryHeaps[i].size);
    }
    return largest;
}

/// Indices go first: most names hold a digit.
size_t findDevice(const std::vector<DeviceDescription>& devices, const std::string& wanted) {
    std::vector<std::string> names;
    for (const DeviceDescription& d : devices) {
        if (wanted == std::to_string(names.size())) return names.size();
        names.push_back(fmt::format("{} ({})", names.size(), d.name));
    }
    const auto named = std::ranges::find_if(devices, [&](const DeviceDescription& d) { return d.name.find(wanted) != std::string::npos; });
    if (named == devices.end()) throw InputError("--device: '{}' was not found, expected one of {}", wanted, fmt::join(names, ", "));
    return static_cast<size_t>(named - devices.begin());
}

/// The compute queue, first of its family, and the transfer queue where there is one.
std::vector<VkDeviceQueueCreateInfo> queuesOf(uint32_t computeFamily, const std::optional<QueuePlace>& transfer) {
    static constexpr std::array<float, 2> kPriorities{1, 1};
    VkDeviceQueueCreateInfo compute{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                    .queueFamilyIndex = computeFamily,
                                    .queueCount = 1,
                                    .pQueuePriorities = kPriorities.data()};
    if (!transfer) return {compute};
    if (transfer->family == computeFamily) {
        compute.queueCount = 2;
        return {compute};
    }
    VkDeviceQueueCreateInfo copies = compute;
    copies.queueFamilyIndex = transfer->family;
    return {compute, copies};
}

}  // namespace

std::vector<DeviceDescription> describeDevices(const Instance& instance) {
    std::vector<DeviceDescription> descriptions;
    for (VkPhysicalDevice device : instance.physicalDevices()) {
        const Probe p = probe(device);
        const VkPhysicalDeviceProperties& properties = p.properties.properties;
        const uint32_t api = properties.apiVersion;
        descriptions.push_back(
            {.name = properties.deviceName,
             .type = typeName(properties.deviceType),
             .api = fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(api), VK_API_VERSION_MINOR(api), VK_API_VERSION_PATCH(api)),
             .driver = fmt::format("{:#x}", properties.driverVersion),
             .memory = largestDeviceHeap(device),
             .unsuitable = missingBaseline(p)});
    }
    return descriptions;
}

size_t chooseDevice(const std::vector<DeviceDescription>& devices, const std::string& wanted) {
    if (!wanted.empty()) return findDevice(devices, wanted);
    for (const char* type : {"discrete", "integrated", "virtual", "other", "cpu"}) {
        for (size_t i = 0; i < devices.size(); ++i) {
            if (devices[i].type == type && devices[i].unsuitable.empty()) return i;
        }
    }
    std::vector<std::string> reasons;
    for (const DeviceDescription& d : devices) reasons.push_back(fmt::format("{}: {}", d.name, d.unsuitable));
    throw Error("no suitable Vulkan device was found ({}); Vulkan 1.2 with timeline semaphores and scalar block layout is needed",
                devices.empty() ? "the loader lists none" : fmt::format("{}", fmt::join(reasons, "; ")));
}

Device::Device(const DeviceOptions& options)
    : instance_(options.validate, options.windowExtensions),
      memoryLimit_(options.memoryLimit > 0 ? options.memoryLimit : UINT64_MAX),
      loseAtSubmission_(options.loseAtSubmission),
      loseSurfaceAt_(options.loseSurfaceAt) {
    choose(options);
    if (!options.windowExtensions.empty() && !has(Feature::swapchain))
        throw Error("device '{}' has no {} (or it is switched off): a window needs it", name_, VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    create(!options.windowExtensions.empty());
    pipelines_ = std::make_unique<Pipelines>(*this);
    spdlog::debug("device: {}, subgroup size {}", name_, subgroupSize());
}

/// Of devices that nobody asked for by name, those that cannot show pictures in the window where there is one are none.
std::vector<DeviceDescription> Device::candidates(const DeviceOptions& options) const {
    std::vector<DeviceDescription> devices = describeDevices(instance_);
    if (!options.showsPictures || !options.device.empty()) return devices;
    const std::vector<VkPhysicalDevice> handles = instance_.physicalDevices();
    for (size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].unsuitable.empty() && !options.showsPictures(instance_.handle(), handles[i], probe(handles[i]).queueFamily))
            devices[i].unsuitable = "it cannot show pictures in this window";
    }
    return devices;
}

void Device::choose(const DeviceOptions& options) {
    const std::vector<DeviceDescription> devices = candidates(options);
    index_ = chooseDevice(devices, options.device);
    name_ = devices[index_].name;
    if (!devices[index_].unsuitable.empty()) throw Error("device '{}' cannot be used: {}", name_, devices[index_].unsuitable);
    physical_ = instance_.physicalDevices()[index_];
    probe_ = probe(physical_);
    std::set<Feature> disabled;
    for (const std::string& name : options.disabled) disabled.insert(featureByName(name));
    for (const FeatureRow& row : featureTable()) {
        const bool foreign = row.feature == Feature::maximalReconvergence && !instance_.layerKnowsMaximalReconvergence();
        if (row.present(probe_) && !disabled.contains(row.feature) && !foreign) features_.insert(row.feature);
    }
}

void Device::create(bool forWindow) {
    const std::vector<VkDeviceQueueCreateInfo> queues = queuesOf(probe_.queueFamily, transferQueue());
    std::vector<const char*> extensions;
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
                                                             .shaderBufferFloat32AtomicAdd = VK_TRUE};
    const VkBool32 int16Storage = has(Feature::int16Storage);
    const VkBool32 int64Atomics = has(Feature::int64Atomics);
    VkPhysicalDeviceVulkan11Features features11{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                                .storageBuffer16BitAccess = int16Storage,
                                                .uniformAndStorageBuffer16BitAccess = int16Storage};
    VkPhysicalDeviceVulkan12Features features12{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                .pNext = &features11,
                                                .shaderBufferInt64Atomics = int64Atomics,
                                                .scalarBlockLayout = VK_TRUE,
                                                .timelineSemaphore = VK_TRUE,
                                                .vulkanMemoryModel = probe_.features12.vulkanMemoryModel,
                                                .vulkanMemoryModelDeviceScope = probe_.features12.vulkanMemoryModelDeviceScope};
    if (has(Feature::floatAtomics)) {
        extensions.push_back(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
        features11.pNext = &atomicFloat;
    }
    if (forWindow) extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    if (has(Feature::pushDescriptors)) extensions.push_back(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    const VkBool32 sizeControl = has(Feature::subgroupSizeControl);
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
                                                      .pNext = &features12,
                                                      .subgroupSizeControl = sizeControl,
                                                      .computeFullSubgroups = sizeControl};
    if (sizeControl && needsSizeControlExtension(probe_)) extensions.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    void* chain = sizeControl ? static_cast<void*>(&sizes) : &features12;
    MaximalReconvergenceFeatures reconvergence{.pNext = chain, .shaderMaximalReconvergence = VK_TRUE};
    if (has(Feature::maximalReconvergence)) {
        extensions.push_back(kMaximalReconvergenceExtension);
        chain = &reconvergence;
    }
    const VkPhysicalDeviceFeatures2 features{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = chain,
        .features = {.robustBufferAccess = VK_TRUE, .shaderInt64 = int64Atomics, .shaderInt16 = int16Storage}};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &features,
                                  .queueCreateInfoCount = static_cast<uint32_t>(queues.size()),
                                  .pQueueCreateInfos = queues.data(),
                                  .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                  .ppEnabledExtensionNames = extensions.data()};
    vk(vkCreateDevice(physical_, &info, nullptr, &device_), "create a device on '{}'", name_);
    volkLoadDevice(device_);
    createQueues();
}

void Device::createQueues() {
    vkGetDeviceQueue(device_, probe_.queueFamily, 0, &queue_);
    nameObject(VK_OBJECT_TYPE_QUEUE, reinterpret_cast<uint64_t>(queue_), "compute queue");
    commandPools_ = std::make_unique<CommandPools>(*this, probe_.queueFamily);
    timeline_ = createTimeline("compute timeline");

    VkQueue copies = queue_;
    const QueuePlace place = transferQueue().value_or(QueuePlace{.family = probe_.queueFamily, .index = 0});
    if (has(Feature::transferQueue)) {
        vkGetDeviceQueue(device_, place.family, place.index, &copies);
        nameObject(VK_OBJECT_TYPE_QUEUE, reinterpret_cast<uint64_t>(copies), "transfer queue");
    }
    transfers_ = std::make_unique<TransferQueue>(*this, place.family, copies, copies == queue_ ? queueMutex_ : transferMutex_);
}

VkSemaphore Device::createTimeline(const std::string& name) const {
    const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                         .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    vk(vkCreateSemaphore(device_, &info, nullptr, &semaphore), "create the {}", name);
    nameObject(VK_OBJECT_TYPE_SEMAPHORE, reinterpret_cast<uint64_t>(semaphore), name);
    return semaphore;
}

std::vector<uint32_t> Device::queueFamilies() const {
    const uint32_t copies = transferQueue().value_or(QueuePlace{.family = probe_.queueFamily}).family;
    if (copies == probe_.queueFamily) return {copies};
    return {probe_.queueFamily, copies};
}

Device::~Device() {
    if (device_) vkDeviceWaitIdle(device_);
    pipelines_.reset();
    transfers_.reset();
    vkDestroySemaphore(device_, timeline_, nullptr);
    commandPools_.reset();
    vkDestroyDevice(device_, nullptr);
}

SubgroupSizes Device::subgroupSizes() const {
    return {.own = subgroupSize(),
            .smallest = probe_.subgroupSizes.minSubgroupSize,
            .largest = probe_.subgroupSizes.maxSubgroupSize,
            .perGroup = probe_.subgroupSizes.maxComputeWorkgroupSubgroups};
}

uint32_t Device::fullSubgroupSize(const KernelInfo& kernel) const {
    if (!has(Feature::subgroupOperations) || !has(Feature::subgroupSizeControl)) return 0;
    return gpu::fullSubgroupSize(subgroupSizes(), kernel.groupSize, kernel.subgroupSize);
}

Ticket Device::submit(std::span<const Commands* const> commands, Arrival after) {
    std::vector<VkCommandBuffer> buffers;
    for (const Commands* c : commands) buffers.push_back(c->handle());
    return submit(commands.front()->name(), buffers,
                  {.wait = after.value > 0 ? transfers_->timeline() : VK_NULL_HANDLE, .value = after.value});
}

Ticket Device::submit(const std::string& name, std::span<const VkCommandBuffer> commands, const SubmitOrder& order) {
    const std::scoped_lock lock(queueMutex_);
    if (submitted_ + 1 == loseAtSubmission_) throw DeviceLost("could not submit '{}': device lost (as was asked for)", name);
    const uint64_t value = submitted_ + 1;
    const std::array<VkSemaphore, 2> signals{timeline_, order.signal};
    const std::array<uint64_t, 2> values{value, 0};  // a binary semaphore has none
    const uint32_t waits = order.wait ? 1 : 0;
    const uint32_t signalled = order.signal ? 2 : 1;
    const VkTimelineSemaphoreSubmitInfo timeline{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = waits,
                                                 .pWaitSemaphoreValues = &order.value,
                                                 .signalSemaphoreValueCount = signalled,
                                                 .pSignalSemaphoreValues = values.data()};
    const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .pNext = &timeline,
                            .waitSemaphoreCount = waits,
                            .pWaitSemaphores = &order.wait,
                            .pWaitDstStageMask = &order.stage,
                            .commandBufferCount = static_cast<uint32_t>(commands.size()),
                            .pCommandBuffers = commands.data(),
                            .signalSemaphoreCount = signalled,
                            .pSignalSemaphores = signals.data()};
    vk(vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "submit '{}'", name);
    submitted_ = value;
    return value;
}

VkResult Device::present(const VkPresentInfoKHR& info) {
    const std::scoped_lock lock(queueMutex_);
    return vkQueuePresentKHR(queue_, &info);
}

void Device::waitIdle() {
    const std::scoped_lock lock(queueMutex_);
    vk(vkQueueWaitIdle(queue_), "wait for the queue to be idle");
}

bool Device::done(Ticket ticket) {
    uint64_t reached = 0;
    vk(vkGetSemaphoreCounterValue(device_, timeline_, &reached), "ask for the queue's progress");
    return reached >= ticket;
}

uint64_t Device::waits() const { return waitsOfThread; }
double Device::waitedMicroseconds() const { return microsecondsOfWaits; }

void Device::wait(Ticket ticket) {
    ++waitsOfThread;
    const VkSemaphoreWaitInfo info{
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &timeline_, .pValues = &ticket};
    const double before = threadMicroseconds();
    vk(vkWaitSemaphores(device_, &info, UINT64_MAX), "wait for the queue");
    microsecondsOfWaits += threadMicroseconds() - before;
}

void Device::waitForAll() {
    const Ticket last = [&] {
        const auto lock = lockQueue();
        return submitted_;
    }();
    transfers_->wait(transfers_->last());
    wait(last);
}

void Device::run(const std::string& name, const std::function<void(Commands&)>& record) {
    Commands commands(*this, name);
    record(commands);
    commands.end();
    wait(submit(commands));
}

void Device::upload(BufferSlice to, std::span<const std::byte> bytes) {
    CHECK(bytes.size() <= to.bytes, "upload of {} bytes into {}", bytes.size(), to.bytes);
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
    CHECK(bytes.size() <= from.bytes, "download of {} bytes from {}", bytes.size(), from.bytes);
    if (bytes.empty()) return;
    const Buffer staging(*this, "download staging", bytes.size(), 0, Residence::readback);
    run("download", [&](Commands& c) { c.copy({from.buffer, from.offset, bytes.size(), from.stride}, staging); });
    std::memcpy(bytes.data(), staging.mapped<std::byte>(), bytes.size());
}

VkDeviceSize Device::memoryTotal() const { return std::min(largestDeviceHeap(physical_), memoryLimit_); }

uint32_t Device::memoryType(uint32_t allowed, VkMemoryPropertyFlags wanted) const {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
    const auto find = [&](VkMemoryPropertyFlags flags, VkMemoryPropertyFlags without) -> std::optional<uint32_t> {
        for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
            const VkMemoryPropertyFlags has = memory.memoryTypes[i].propertyFlags;
            if ((allowed & (1u << i)) && (has & flags) == flags && (has & without) == 0) return i;
        }
        return std::nullopt;
    };
    // What the host keeps must not take the GPU's memory where the two are apart.
    const VkMemoryPropertyFlags unwanted = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT & ~wanted;
    const VkMemoryPropertyFlags uncached = wanted & ~static_cast<VkMemoryPropertyFlags>(VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    for (const auto& [flags, without] : {std::pair{wanted, unwanted}, {uncached, unwanted}, {wanted, 0u}, {uncached, 0u}}) {
        if (const auto type = find(flags, without)) return *type;
    }
    throw Error("device '{}' has no memory type with flags {:#x}", name_, wanted);
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
    vk(vkSetDebugUtilsObjectNameEXT(device_, &info), "name '{}'", name);
}

void Device::orderAs(VkBuffer part, VkBuffer whole) {
    const VkBuffer first = orderedAs(whole);
    const std::scoped_lock lock(wholesMutex_);
    if (part == whole) {
        wholes_.erase(part);
    } else {
        wholes_[part] = first;
    }
}

VkBuffer Device::orderedAs(VkBuffer buffer) const {
    const std::scoped_lock lock(wholesMutex_);
    const auto whole = wholes_.find(buffer);
    return whole == wholes_.end() ? buffer : whole->second;
}

std::shared_ptr<const void> Device::knownAs(const std::string& name, std::shared_ptr<const void> value) {
    const std::scoped_lock lock(knownMutex_);
    const auto found = known_.find(name);
    if (found != known_.end() || !value) return found == known_.end() ? nullptr : found->second;
    return known_[name] = std::move(value);
}

void Device::countMemory(int64_t bytes) {
    const int64_t now = memoryInUse_ += bytes;
    int64_t peak = memoryPeak_;
    while (now > peak && !memoryPeak_.compare_exchange_weak(peak, now)) {
    }
}

}  // namespace splat::gpu
