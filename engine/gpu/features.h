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

/// What a physical device offers beyond the baseline.
struct Probe {
    VkPhysicalDeviceProperties2 properties{};
    VkPhysicalDeviceVulkan11Properties properties11{};
    VkPhysicalDeviceVulkan13Properties properties13{};
    VkPhysicalDeviceFeatures2 features{};
    VkPhysicalDeviceVulkan11Features features11{};
    VkPhysicalDeviceVulkan12Features features12{};
    VkPhysicalDeviceVulkan13Features features13{};
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat{};
    std::set<std::string> extensions;
    uint32_t timestampBits = 0;
    uint32_t queueFamily = 0;
    bool graphics = false;                    ///< the compute queue draws triangles too
    std::optional<QueuePlace> transferQueue;  ///< beside the compute queue, which is the first of its family
};

Probe probe(VkPhysicalDevice device);

/// Why a device cannot run Splatwright, or nothing when it can.
std::string missingBaseline(const Probe& probe);

/// One optional feature: a row here is what `info` prints, what `--disable` takes and what kernels are chosen by.
enum class Feature {
    floatAtomics,
    subgroupOperations,
    subgroupSizeControl,
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

const std::array<FeatureRow, 10>& featureTable();

/// Throws InputError listing the known names.
Feature featureByName(std::string_view name);

}  // namespace splat::gpu
