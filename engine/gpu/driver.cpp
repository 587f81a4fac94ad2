#include <splatwright/gpu/driver.h>

#include <fmt/format.h>

namespace splat::gpu {

std::string driverText(const Device& device) {
    VkPhysicalDeviceDriverProperties driver{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    vkGetPhysicalDeviceProperties2(device.physical(), &properties);
    const uint32_t api = properties.properties.apiVersion;
    return fmt::format("{} {}, Vulkan {}.{}.{}", driver.driverName, driver.driverInfo, VK_API_VERSION_MAJOR(api), VK_API_VERSION_MINOR(api),
                       VK_API_VERSION_PATCH(api));
}

}  // namespace splat::gpu
