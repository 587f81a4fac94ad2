#pragma once

#include <volk.h>

#include <splatwright/core/error.h>

namespace splat::gpu {

/// The device is lost: nothing on it can be read any more.
class DeviceLost : public Error {
public:
    using Error::Error;
};

/// Too little memory on the device, or on the host for it.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

[[noreturn]] void throwVulkanError(VkResult result, const std::string& doing);

/// Throws if a Vulkan call failed, with what it was for: vk(vkCreateBuffer(...), "create buffer '{}'", name).
template <class... Args>
void vk(VkResult result, fmt::format_string<Args...> doing, Args&&... args) {
    if (result != VK_SUCCESS) throwVulkanError(result, fmt::format(doing, std::forward<Args>(args)...));
}

}  // namespace splat::gpu
