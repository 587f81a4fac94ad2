#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <volk.h>

namespace splat::gpu {

struct QueuePlace {
    uint32_t family = 0;
    uint32_t index = 0;  ///< in the family
};

/// VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, which Vulkan headers of 2023 lack.
struct MaximalReconvergenceFeatures {
    VkStructureType sType = static_cast<VkStructureType>(1000434000);
    void* pNext = nullptr;
    VkBool32 shaderMaximalReconvergence = VK_FALSE;
};
inline constexpr const char* kMaximalReconvergenceExtension = "VK_KHR_shader_maximal_reconvergence";

/// What a physical device offers beyond the baseline.
struct Probe {
    VkPhysicalDeviceProperties2 properties{};
    VkPhysicalDeviceVulkan11Properties properties11{};
    VkPhysicalDeviceVulkan12Properties properties12{};
    VkPhysicalDeviceSubgroupSizeControlProperties subgroupSizes{};  ///< core or extension, as for subgroupSizeControl
    VkPhysicalDeviceFeatures2 features{};
    VkPhysicalDeviceVulkan11Features features11{};
    VkPhysicalDeviceVulkan12Features features12{};
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroupSizeControl{};  ///< core in Vulkan 1.3, else the extension
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat{};
    MaximalReconvergenceFeatures maximalReconvergence{};
    std::set<std::string> extensions;
    uint32_t timestampBits = 0;
    uint32_t queueFamily = 0;
    bool graphics = false;                    ///< the compute queue can also rasterise triangles
    std::optional<QueuePlace> transferQueue;  ///< beside the compute queue, which is the first of its family
};

Probe probe(VkPhysicalDevice device);

/// Whether subgroup size control needs VK_EXT_subgroup_size_control (before Vulkan 1.3).
bool needsSizeControlExtension(const Probe& probe);

/// Whether groups that run on the driver's devices go on while others wait; none: not known.
std::optional<bool> driverMakesProgress(VkDriverId driver);

/// Why a device cannot run Splatwright; empty if it can.
std::string missingBaseline(const Probe& probe);

/// Optional features: `info` prints them, `--disable` turns them off, and kernels are chosen by them.
enum class Feature {
    floatAtomics,
    subgroupOperations,
    subgroupSizeControl,
    maximalReconvergence,
    forwardProgress,
    pushDescriptors,
    timestamps,
    int16Storage,
    int64,
    int64Atomics,
    transferQueue,
    graphics,
    swapchain
};

struct FeatureRow {
    Feature feature;
    std::string_view name;
    std::string_view help;
    bool (*present)(const Probe&);
    std::optional<Feature> needs = std::nullopt;  ///< a row before it, without which it is off too
};

const std::array<FeatureRow, 13>& featureTable();

/// Throws InputError listing the known names.
Feature featureByName(std::string_view name);

}  // namespace splat::gpu
