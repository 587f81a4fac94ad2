#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <volk.h>

#include <splatwright/gpu/features.h>
#include <splatwright/gpu/instance.h>

namespace splat::gpu {

struct DeviceOptions {
    std::string device;                         ///< index or part of the name; empty: the first discrete GPU, else the first usable device
    std::vector<std::string> disabled;          ///< names of optional features that are not used
    std::string profile;                        ///< class of devices whose limits and features are kept to (profiles.h); empty: none
    Validation validation = Validation::kNone;  ///< by the validation layers
    VkDeviceSize memoryLimit = 0;               ///< bytes, of all buffers on the device together; 0: no limit but the device's
    std::vector<std::string> windowExtensions;  ///< instance extensions that the window system asks for; empty: no window
    /// Whether a queue family can present to the window. Devices that cannot are skipped unless `device` names them; empty: all can.
    std::function<bool(VkInstance, VkPhysicalDevice, uint32_t family)> showsPictures;
    uint32_t allocationLimit = UINT32_MAX;  ///< for tests: device memory allocations that may exist at once
    VkDeviceSize bindingLimit = 0;          ///< for tests: bytes of a buffer that kernels can bind at most; 0: as the device says
    uint64_t loseAtSubmission = 0;          ///< for tests: the device counts as lost from this submission on, counted from 1; 0: never
    uint64_t loseSurfaceAt = 0;             ///< for tests: this acquire or present call finds the window's surface lost, from 1; 0: never
};

/// One device as `info` lists it.
struct DeviceDescription {
    std::string name;
    std::string type;  ///< discrete, integrated, virtual, cpu, other
    std::string api;
    std::string driver;
    VkDeviceSize memory = 0;  ///< bytes of the largest device-local heap
    std::string unsuitable;   ///< why it cannot be used; empty if it can
};
std::vector<DeviceDescription> describeDevices(const Instance& instance);

/// Index of the wanted device: by index, by part of its name, or the best usable type if `wanted` is empty. Throws InputError if no device has
/// that name, Error if none is usable.
size_t chooseDevice(const std::vector<DeviceDescription>& devices, const std::string& wanted);

/// The physical device in use: what it offers, and which optional features are on.
struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    size_t index = 0;  ///< in describeDevices()
    std::string name;
    Probe probe;
    std::set<Feature> features;
    std::string profile;                 ///< that it keeps to; empty: none
    std::vector<std::string> notProven;  ///< of the profile's class

    bool has(Feature feature) const { return features.contains(feature); }
    /// The queue for copies beside the compute queue, if that feature is on.
    std::optional<QueuePlace> transferQueue() const { return has(Feature::transferQueue) ? probe.transferQueue : std::nullopt; }
};

/// Chooses the device that the options ask for. Throws Error if there is no usable one or it lacks what a window needs, InputError for an
/// unknown device, profile or feature name.
PhysicalDevice choosePhysicalDevice(const Instance& instance, const DeviceOptions& options);

}  // namespace splat::gpu
