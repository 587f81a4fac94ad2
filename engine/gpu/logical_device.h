#pragma once

#include <splatwright/gpu/physical_device.h>

namespace splat::gpu {

/// Owns the VkDevice, created with the features in use and its one or two queues.
class LogicalDevice {
public:
    LogicalDevice(const PhysicalDevice& physical, bool forWindow);
    ~LogicalDevice();
    LogicalDevice(const LogicalDevice&) = delete;
    LogicalDevice& operator=(const LogicalDevice&) = delete;

    VkDevice handle() const { return device_; }

private:
    VkDevice device_ = VK_NULL_HANDLE;
};

}  // namespace splat::gpu
