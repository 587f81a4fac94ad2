#include <splatwright/gpu/physical_device.h>

#include <algorithm>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/gpu/memory.h>
#include <splatwright/gpu/profiles.h>

namespace splat::gpu {

namespace {

const char* typeName(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete";
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated";
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual";
        case VK_PHYSICAL_DEVICE_TYPE_CPU: return "cpu";
        default: return "other";
    }
}

/// Devices that cannot present to the window are unsuitable, unless a name or index asks for one.
std::vector<DeviceDescription> candidates(const Instance& instance, const DeviceOptions& options) {
    std::vector<DeviceDescription> devices = describeDevices(instance);
    if (!options.showsPictures || !options.device.empty()) return devices;
    const std::vector<VkPhysicalDevice> handles = instance.physicalDevices();
    for (size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].unsuitable.empty() && !options.showsPictures(instance.handle(), handles[i], probe(handles[i]).queueFamily))
            devices[i].unsuitable = "it cannot present to this window";
    }
    return devices;
}

/// Reduces a device to its profile. Throws Error if nothing runs on devices of that class.
void applyProfile(PhysicalDevice& device, const Profile& profile) {
    device.profile = profile.name;
    device.notProven = notProven(device.probe, profile);
    restrict(device.probe, profile);
    if (const std::string missing = missingBaseline(device.probe); !missing.empty())
        throw Error("devices of profile '{}' cannot be used: {}", profile.name, missing);
}

std::set<Feature> disabledFeatures(const DeviceOptions& options) {
    std::set<Feature> disabled;
    if (!options.profile.empty()) disabled = profileByName(options.profile).without;
    for (const std::string& name : options.disabled) disabled.insert(featureByName(name));
    return disabled;
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
    if (!wanted.empty()) {
        // Indices go first: most names hold a digit.
        std::vector<std::string> names;
        for (const DeviceDescription& d : devices) {
            if (wanted == std::to_string(names.size())) return names.size();
            names.push_back(fmt::format("{} ({})", names.size(), d.name));
        }
        const auto named = std::ranges::find_if(devices, [&](const auto& d) { return d.name.find(wanted) != std::string::npos; });
        if (named == devices.end()) throw InputError("`device`: '{}' was not found, expected one of {}", wanted, fmt::join(names, ", "));
        return static_cast<size_t>(named - devices.begin());
    }
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

PhysicalDevice choosePhysicalDevice(const Instance& instance, const DeviceOptions& options) {
    const std::vector<DeviceDescription> devices = candidates(instance, options);
    const size_t index = chooseDevice(devices, options.device);
    const DeviceDescription& chosen = devices[index];
    if (!chosen.unsuitable.empty()) throw Error("device '{}' cannot be used: {}", chosen.name, chosen.unsuitable);
    PhysicalDevice device{.handle = instance.physicalDevices()[index], .index = index, .name = chosen.name, .probe = {}};
    device.probe = probe(device.handle);
    if (!options.profile.empty()) applyProfile(device, profileByName(options.profile));
    uint32_t& bindable = device.probe.properties.properties.limits.maxStorageBufferRange;
    if (options.bindingLimit > 0) bindable = static_cast<uint32_t>(std::min<VkDeviceSize>(bindable, options.bindingLimit));
    const std::set<Feature> disabled = disabledFeatures(options);
    for (const FeatureRow& row : featureTable()) {
        const bool foreign = row.feature == Feature::maximalReconvergence && !instance.layerKnowsMaximalReconvergence();
        const bool unusable = foreign || (row.needs && !device.features.contains(*row.needs));
        if (row.present(device.probe) && !disabled.contains(row.feature) && !unusable) device.features.insert(row.feature);
    }
    if (!options.windowExtensions.empty() && !device.has(Feature::swapchain))
        throw Error("device '{}' has no {} (or it is switched off): a window needs it", device.name, VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    return device;
}

}  // namespace splat::gpu
