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

/// VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, which headers of 2023 do not have.
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
    VkPhysicalDeviceSubgroupSizeControlProperties subgroupSizes{};  ///< as subgroupSizeControl
    VkPhysicalDeviceFeatures2 features{};
    VkPhysicalDeviceVulkan11Features features11{};
    VkPhysicalDeviceVulkan12Features features12{};
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroupSizeControl{};  ///< of Vulkan 1.3, or of the extension before
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat{};
    MaximalReconvergenceFeatures maximalReconvergence{};
    std::set<std::string> extensions;
    uint32_t timestampBits = 0;
    uint32_t queueFamily = 0;
    bool graphics = false;                    ///< the compute queue draws triangles too
    std::optional<QueuePlace> transferQueue;  ///< beside the compute queue, which is the first of its family
};

Probe probe(VkPhysicalDevice device);

/// Whether the device needs VK_EXT_subgroup_size_control for what newer ones have without it.
bool needsSizeControlExtension(const Probe& probe);

/// Why a device cannot run Splatwright, or nothing when it can.
std::string missingBaseline(const Probe& probe);

/// One optional feature: a row here is what `info` prints, what `--disable` takes and what kernels are chosen by.
enum class Feature {
    floatAtomics,
    subgroupOperations,
    subgroupSizeControl,
    maximalReconvergence,
    pushDescriptors,
    timestamps,
    int16Storage,
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
};

const std::array<FeatureRow, 11>& featureTable();

/// Throws InputError listing the known names.
Feature featureByName(std::string_view name);

}  // namespace splat::gpu
