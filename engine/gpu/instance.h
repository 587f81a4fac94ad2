#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <volk.h>

namespace splat::gpu {

/// What the validation layers look at; kSynchronization includes kCore.
enum class Validation { kNone, kCore, kSynchronization };

/// The VkInstance, with optional validation layers and a count of their messages.
class Instance {
public:
    /// Throws Error if there is no Vulkan loader or driver, or if an extension or the validation layer is wanted and missing.
    explicit Instance(Validation validation, const std::vector<std::string>& extensions = {});
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance handle() const { return instance_; }
    bool hasDebugUtils() const { return debugUtils_; }
    bool validates() const { return messenger_ != VK_NULL_HANDLE; }
    uint64_t messages() const { return messages_; }
    /// False if the validation layer is older than the extension and would report its use as an error.
    bool layerKnowsMaximalReconvergence() const;
    std::vector<VkPhysicalDevice> physicalDevices() const;

private:
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    bool debugUtils_ = false;
    uint32_t layerVersion_ = 0;  ///< Vulkan version of the validation layer; 0: not installed
    std::atomic<uint64_t> messages_ = 0;
};

}  // namespace splat::gpu
