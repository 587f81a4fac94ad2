#pragma once

#include <volk.h>

#include "core/error.h"

namespace splat::gpu {

/// The device stopped answering: nothing on it can be read any more.
class DeviceLost : public Error {
public:
    using Error::Error;
};

/// The device (or the host for it) has no memory left.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

[[noreturn]] void throwVulkanError(VkResult result, const std::string& doing);

/// Throws when a Vulkan call failed, saying what it was trying to do: vk(vkCreateBuffer(...), "create buffer '{}'", name).
template <class... Args>
void vk(VkResult result, fmt::format_string<Args...> doing, Args&&... args) {
    if (result != VK_SUCCESS) throwVulkanError(result, fmt::format(doing, std::forward<Args>(args)...));
}

}  // namespace splat::gpu
