#include <splatwright/gpu/features.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/gpu/check.h>
#include <splatwright/gpu/kernel.h>

namespace splat::gpu {

namespace {

constexpr VkSubgroupFeatureFlags kSubgroupOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                                                       VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
                                                       VK_SUBGROUP_FEATURE_SHUFFLE_BIT;

bool hasSubgroupOperations(const Probe& p) {
    return (p.properties11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
           (p.properties11.subgroupSupportedOperations & kSubgroupOperations) == kSubgroupOperations;
}

/// A queue that copies while kernels run: of a transfer-only family (a copy engine), else the second queue of the compute family.
std::optional<QueuePlace> findTransferQueue(const std::vector<VkQueueFamilyProperties>& families, uint32_t computeFamily) {
    constexpr VkQueueFlags kCopiesOnly = VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;
    for (uint32_t i = 0; i < families.size(); ++i) {
        const VkQueueFlags flags = families[i].queueFlags;
        if ((flags & VK_QUEUE_TRANSFER_BIT) != 0 && (flags & ~kCopiesOnly) == 0) return QueuePlace{.family = i, .index = 0};
    }
    if (families[computeFamily].queueCount > 1) return QueuePlace{.family = computeFamily, .index = 1};
    return std::nullopt;
}

/// Drivers of which it is known whether a group that runs goes on while others wait. Those of phones have no row: devices of one vendor differ.
struct ProgressRow {
    VkDriverId driver;
    bool progress;
};
constexpr ProgressRow kProgress[] = {
    // Measured by Sorensen et al. 2021, "Specifying and testing GPU workgroup progress models" (OOPSLA), as table 1 of Smith, Levien and Owens 2025,
    // "Decoupled Fallback" (SPAA), reads them: NVIDIA, AMD and Intel make progress; Apple and Mali do not.
    {VK_DRIVER_ID_NVIDIA_PROPRIETARY, true},
    {VK_DRIVER_ID_MESA_NVK, true},  // the same hardware
    {VK_DRIVER_ID_AMD_PROPRIETARY, true},
    {VK_DRIVER_ID_AMD_OPEN_SOURCE, true},
    {VK_DRIVER_ID_MESA_RADV, true},
    {VK_DRIVER_ID_INTEL_PROPRIETARY_WINDOWS, true},
    {VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA, true},
    {VK_DRIVER_ID_MOLTENVK, false},
    // Mesa, src/gallium/drivers/llvmpipe/lp_cs_tpool.c: each thread of the pool takes a run of groups, in ascending order, and runs them to their end.
    {VK_DRIVER_ID_MESA_LLVMPIPE, true},
};

constexpr std::array<FeatureRow, 13> kFeatures{{
    {Feature::floatAtomics, "float-atomics", "native float32 atomic add in buffers; else a compare-and-swap loop",
     [](const Probe& p) { return p.atomicFloat.shaderBufferFloat32AtomicAdd == VK_TRUE; }},
    {Feature::subgroupOperations, "subgroup-operations", "vote, ballot, shuffle and arithmetic; else groupshared memory",
     hasSubgroupOperations},
    {Feature::subgroupSizeControl, "subgroup-size-control", "full subgroups of a known size; else no subgroup operations",
     [](const Probe& p) {
         return p.subgroupSizeControl.subgroupSizeControl && p.subgroupSizeControl.computeFullSubgroups &&
                (p.subgroupSizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
     }},
    {Feature::maximalReconvergence, "maximal-reconvergence",
     "VK_KHR_shader_maximal_reconvergence: diverged lanes reconverge where control flow merges",
     [](const Probe& p) { return p.maximalReconvergence.shaderMaximalReconvergence == VK_TRUE; }},
    // Vulkan has no such feature. Where it is not known, primitives/forward_progress.h tests it on first use.
    {Feature::forwardProgress, "forward-progress",
     "groups that run go on while others wait (driver list, else a self test): sorts and scans in one pass; else in several",
     [](const Probe& p) { return driverMakesProgress(p.properties12.driverID).value_or(true); }},
    {Feature::pushDescriptors, "push-descriptors", "VK_KHR_push_descriptor; else descriptor sets",
     [](const Probe& p) { return p.extensions.contains(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME); }},
    {Feature::timestamps, "timestamps", "GPU time per stage; else zeros", [](const Probe& p) { return p.timestampBits > 0; }},
    {Feature::int16Storage, "int16-storage", "16-bit integers in buffers: 16-bit sort keys; else 32-bit keys",
     [](const Probe& p) {
         return p.features11.storageBuffer16BitAccess && p.features11.uniformAndStorageBuffer16BitAccess && p.features.features.shaderInt16;
     }},
    {Feature::int64, "int64", "64-bit integers in kernels; else pairs of 32-bit words",
     [](const Probe& p) { return p.features.features.shaderInt64 == VK_TRUE; }},
    {Feature::int64Atomics, "int64-atomics", "64-bit integer atomics in buffers: fixed-point sums; else sums in two 32-bit halves",
     [](const Probe& p) { return p.features12.shaderBufferInt64Atomics == VK_TRUE; }, Feature::int64},
    {Feature::transferQueue, "transfer-queue", "copies training images while kernels run; else between kernels",
     [](const Probe& p) { return p.transferQueue.has_value(); }},
    {Feature::graphics, "graphics",
     "triangles on the compute queue, for the viewer's panels; else only pictures without panels or a window",
     [](const Probe& p) { return p.graphics; }},
    {Feature::swapchain, "swapchain", "VK_KHR_swapchain, for a window; else only pictures in memory",
     [](const Probe& p) { return p.extensions.contains(VK_KHR_SWAPCHAIN_EXTENSION_NAME); }},
}};

}  // namespace

std::optional<bool> driverMakesProgress(VkDriverId driver) {
    const auto* row = std::ranges::find(kProgress, driver, &ProgressRow::driver);
    return row == std::end(kProgress) ? std::nullopt : std::optional(row->progress);
}

const std::array<FeatureRow, 13>& featureTable() { return kFeatures; }

Feature featureByName(std::string_view name) {
    std::vector<std::string_view> known;
    for (const FeatureRow& row : kFeatures) {
        if (row.name == name) return row.feature;
        known.push_back(row.name);
    }
    throw InputError("`disabled`: unknown feature '{}', expected one of {}", name, fmt::join(known, ", "));
}

bool needsSizeControlExtension(const Probe& p) {
    return p.properties.properties.apiVersion < VK_API_VERSION_1_3 && p.extensions.contains(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
}

Probe probe(VkPhysicalDevice device) {
    Probe p;
    uint32_t count = 0;
    vk(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr), "count device extensions");
    std::vector<VkExtensionProperties> extensions(count);
    vk(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data()), "list device extensions");
    for (const VkExtensionProperties& e : extensions) p.extensions.insert(e.extensionName);

    p.properties11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    p.properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    vkGetPhysicalDeviceProperties2(device, &p.properties);
    if (p.properties.properties.apiVersion < VK_API_VERSION_1_2) return p;  // it does not know the structures below
    const bool knowsSizes = p.properties.properties.apiVersion >= VK_API_VERSION_1_3 || needsSizeControlExtension(p);
    p.subgroupSizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
    if (knowsSizes) p.properties11.pNext = &p.subgroupSizes;
    p.properties12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    p.properties12.pNext = &p.properties11;
    p.properties.pNext = &p.properties12;
    vkGetPhysicalDeviceProperties2(device, &p.properties);

    p.features11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    p.features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &p.features11};
    p.features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &p.features12};
    p.subgroupSizeControl.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    p.atomicFloat.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT;
    const auto ask = [&p](auto& features) {
        features.pNext = p.features.pNext;
        p.features.pNext = &features;
    };
    if (knowsSizes) ask(p.subgroupSizeControl);
    if (p.extensions.contains(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME)) ask(p.atomicFloat);
    if (p.extensions.contains(kMaximalReconvergenceExtension)) ask(p.maximalReconvergence);
    vkGetPhysicalDeviceFeatures2(device, &p.features);

    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    for (uint32_t i = 0; i < count; ++i) {
        if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
        p.queueFamily = i;
        p.graphics = (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
        p.timestampBits = families[i].timestampValidBits;
        p.transferQueue = findTransferQueue(families, i);
        break;
    }
    return p;
}

std::string missingBaseline(const Probe& p) {
    const VkPhysicalDeviceProperties& properties = p.properties.properties;
    if (properties.apiVersion < VK_API_VERSION_1_2) {
        return fmt::format("Vulkan {}.{}, expected 1.2", VK_API_VERSION_MAJOR(properties.apiVersion),
                           VK_API_VERSION_MINOR(properties.apiVersion));
    }
    const std::pair<VkBool32, const char*> needs[] = {{p.features12.timelineSemaphore, "timelineSemaphore"},
                                                      {p.features12.scalarBlockLayout, "scalarBlockLayout"},
                                                      {p.features.features.robustBufferAccess, "robustBufferAccess"}};
    for (const auto& [present, name] : needs) {
        if (!present) return fmt::format("feature {} is missing", name);
    }
    const VkPhysicalDeviceLimits& limits = properties.limits;
    if (limits.maxComputeWorkGroupInvocations < 256)
        return fmt::format("{} invocations per work group, expected at least 256", limits.maxComputeWorkGroupInvocations);
    if (limits.maxComputeSharedMemorySize < 16384)
        return fmt::format("{} bytes of shared memory, expected at least 16384", limits.maxComputeSharedMemorySize);
    if (limits.maxPerStageDescriptorStorageBuffers < kMaxKernelBuffers)
        return fmt::format("{} storage buffers per kernel, expected at least {}", limits.maxPerStageDescriptorStorageBuffers,
                           kMaxKernelBuffers);
    return "";
}

}  // namespace splat::gpu
