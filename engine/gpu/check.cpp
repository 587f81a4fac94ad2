#include <splatwright/gpu/check.h>

namespace splat::gpu {

namespace {

const char* resultName(VkResult result) {
    switch (result) {
        case VK_ERROR_OUT_OF_HOST_MEMORY: return "out of host memory";
        case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "out of device memory";
        case VK_ERROR_INITIALIZATION_FAILED: return "initialization failed";
        case VK_ERROR_DEVICE_LOST: return "device lost";
        case VK_ERROR_LAYER_NOT_PRESENT: return "layer not present";
        case VK_ERROR_EXTENSION_NOT_PRESENT: return "extension not present";
        case VK_ERROR_FEATURE_NOT_PRESENT: return "feature not present";
        case VK_ERROR_INCOMPATIBLE_DRIVER: return "no compatible driver";
        case VK_ERROR_TOO_MANY_OBJECTS: return "too many objects";
        default: return "Vulkan error";
    }
}

}  // namespace

void throwVulkanError(VkResult result, const std::string& doing) {
    const std::string text = fmt::format("could not {}: {} (VkResult {})", doing, resultName(result), static_cast<int>(result));
    if (result == VK_ERROR_DEVICE_LOST) throw DeviceLost("{}", text);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) throw OutOfMemory("{}", text);
    throw Error("{}", text);
}

}  // namespace splat::gpu
