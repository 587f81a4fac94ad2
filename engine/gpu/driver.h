#pragma once

#include <string>

#include <splatwright/gpu/device.h>

namespace splat::gpu {

/// Name and version of the device's driver as the driver words them (VkPhysicalDeviceDriverProperties), and the version of Vulkan.
std::string driverText(const Device& device);

}  // namespace splat::gpu
