#include <splatwright/gpu/logical_device.h>

#include <array>

#include <splatwright/gpu/check.h>

namespace splat::gpu {

namespace {

/// The feature structures of vkCreateDevice. They point to one another, so this must not be copied or moved.
struct FeatureChain {
    explicit FeatureChain(const PhysicalDevice& physical);
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;

    VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};

private:
    template <class Link>
    void add(Link& link) {
        link.pNext = features.pNext;
        features.pNext = &link;
    }

    VkPhysicalDeviceVulkan11Features features11_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features features12_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
                                                              .shaderBufferFloat32AtomicAdd = VK_TRUE};
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroupSizes_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
                                                               .subgroupSizeControl = VK_TRUE,
                                                               .computeFullSubgroups = VK_TRUE};
    MaximalReconvergenceFeatures reconvergence_{.shaderMaximalReconvergence = VK_TRUE};
};

FeatureChain::FeatureChain(const PhysicalDevice& physical) {
    features.features.robustBufferAccess = VK_TRUE;
    features.features.shaderInt64 = physical.has(Feature::int64);
    features12_.shaderBufferInt64Atomics = physical.has(Feature::int64Atomics);
    features.features.shaderInt16 = features11_.storageBuffer16BitAccess = features11_.uniformAndStorageBuffer16BitAccess =
        physical.has(Feature::int16Storage);
    features12_.scalarBlockLayout = features12_.timelineSemaphore = VK_TRUE;
    features12_.vulkanMemoryModel = physical.probe.features12.vulkanMemoryModel;
    features12_.vulkanMemoryModelDeviceScope = physical.probe.features12.vulkanMemoryModelDeviceScope;
    add(features11_);
    add(features12_);
    if (physical.has(Feature::floatAtomics)) add(atomicFloat_);
    if (physical.has(Feature::subgroupSizeControl)) add(subgroupSizes_);
    if (physical.has(Feature::maximalReconvergence)) add(reconvergence_);
}

constexpr const char* kPortabilitySubset = "VK_KHR_portability_subset";  // Vulkan's headers name it for beta extensions only

}  // namespace

LogicalDevice::LogicalDevice(const PhysicalDevice& physical, bool forWindow) {
    // The compute queue, first of its family, and the transfer queue if there is one.
    constexpr std::array<float, 2> kPriorities{1, 1};
    std::vector<VkDeviceQueueCreateInfo> queues{{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                 .queueFamilyIndex = physical.probe.queueFamily,
                                                 .queueCount = 1,
                                                 .pQueuePriorities = kPriorities.data()}};
    const std::optional<QueuePlace> transfer = physical.transferQueue();
    if (transfer && transfer->family == physical.probe.queueFamily) {
        queues[0].queueCount = 2;
    } else if (transfer) {
        queues.push_back(queues[0]);
        queues[1].queueFamilyIndex = transfer->family;
    }
    std::vector<const char*> extensions;
    if (physical.has(Feature::floatAtomics)) extensions.push_back(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
    if (forWindow) extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    if (physical.has(Feature::pushDescriptors)) extensions.push_back(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
    if (physical.has(Feature::subgroupSizeControl) && needsSizeControlExtension(physical.probe))
        extensions.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    if (physical.has(Feature::maximalReconvergence)) extensions.push_back(kMaximalReconvergenceExtension);
    // A device that has it must be made with it. Its limits concern images, vertices and samplers that the engine does not use.
    if (physical.probe.extensions.contains(kPortabilitySubset)) extensions.push_back(kPortabilitySubset);
    const FeatureChain chain(physical);
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &chain.features,
                                  .queueCreateInfoCount = static_cast<uint32_t>(queues.size()),
                                  .pQueueCreateInfos = queues.data(),
                                  .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                  .ppEnabledExtensionNames = extensions.data()};
    vk(vkCreateDevice(physical.handle, &info, nullptr, &device_), "create a device on '{}'", physical.name);
}

LogicalDevice::~LogicalDevice() { vkDestroyDevice(device_, nullptr); }

}  // namespace splat::gpu
