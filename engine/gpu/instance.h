#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <volk.h>

namespace splat::gpu {

/// The VkInstance, with validation and its message counter when asked for.
class Instance {
public:
    /// Throws Error when there is no Vulkan loader or driver, when validation is asked for and its layer is missing, or an extension is.
    explicit Instance(bool validate, const std::vector<std::string>& extensions = {});
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance handle() const { return instance_; }
    bool hasDebugUtils() const { return debugUtils_; }
    bool validates() const { return messenger_ != VK_NULL_HANDLE; }
    uint64_t messages() const { return messages_; }
    /// False while a validation layer of before the extension stands in the way, which takes it for a mistake.
    bool layerKnowsMaximalReconvergence() const;
    std::vector<VkPhysicalDevice> physicalDevices() const;

private:
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    bool debugUtils_ = false;
    uint32_t layerVersion_ = 0;  ///< Vulkan version that the validation layer was written for; 0: there is none
    std::atomic<uint64_t> messages_ = 0;
};

}  // namespace splat::gpu
