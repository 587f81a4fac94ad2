#include <splatwright/gpu/instance.h>

#include <cstring>

#include <splatwright/core/log.h>
#include <splatwright/gpu/check.h>

namespace splat::gpu {

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

bool hasExtension(const char* layer, const char* name) {
    uint32_t count = 0;
    if (vkEnumerateInstanceExtensionProperties(layer, &count, nullptr) != VK_SUCCESS) return false;
    std::vector<VkExtensionProperties> found(count);
    vk(vkEnumerateInstanceExtensionProperties(layer, &count, found.data()), "list instance extensions");
    for (const VkExtensionProperties& e : found) {
        if (std::strcmp(e.extensionName, name) == 0) return true;
    }
    return false;
}

/// Vulkan version of the validation layer; 0 if it is not installed.
uint32_t validationVersion() {
    uint32_t count = 0;
    vk(vkEnumerateInstanceLayerProperties(&count, nullptr), "count layers");
    std::vector<VkLayerProperties> layers(count);
    vk(vkEnumerateInstanceLayerProperties(&count, layers.data()), "list layers");
    for (const VkLayerProperties& layer : layers) {
        if (std::strcmp(layer.layerName, kValidationLayer) == 0) return layer.specVersion;
    }
    return 0;
}

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void* counter) {
    ++*static_cast<std::atomic<uint64_t>*>(counter);
    if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) {
        spdlog::error("validation: {}", data->pMessage);
    } else {
        spdlog::warn("validation: {}", data->pMessage);
    }
    return VK_FALSE;
}

}  // namespace

Instance::Instance(Validation validation, const std::vector<std::string>& wanted) {
    const bool validate = validation != Validation::kNone;
    if (volkInitialize() != VK_SUCCESS)
        throw Error("no Vulkan loader was found: install libvulkan1 and a Vulkan driver (on Debian and Ubuntu: ./bootstrap.sh deps)");
    if (validate && !hasExtension(kValidationLayer, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
        throw Error("`validate`: layer {} was not found: install vulkan-validationlayers", kValidationLayer);
    }
    if (validate) layerVersion_ = validationVersion();
    debugUtils_ = hasExtension(nullptr, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) || validate;
    std::vector<const char*> extensions;
    if (debugUtils_) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (validate) extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
    // Loaders hide drivers with rules of their own, such as MoltenVK, from programs that do not ask for them.
    const bool portable = hasExtension(nullptr, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    if (portable) extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    for (const std::string& name : wanted) {
        if (!hasExtension(nullptr, name.c_str())) throw Error("the Vulkan loader has no instance extension {}, which windows need", name);
        extensions.push_back(name.c_str());
    }

    const VkDebugUtilsMessengerCreateInfoEXT messenger{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = onMessage,
        .pUserData = &messages_};
    const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT features{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                           .pNext = &messenger,
                                           .enabledValidationFeatureCount = validation == Validation::kSynchronization ? 1u : 0u,
                                           .pEnabledValidationFeatures = &enabled};
    const VkApplicationInfo application{
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "splatwright", .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pNext = validate ? &features : nullptr,
                                    .flags = portable ? VkInstanceCreateFlags{VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR} : 0,
                                    .pApplicationInfo = &application,
                                    .enabledLayerCount = validate ? 1u : 0u,
                                    .ppEnabledLayerNames = &kValidationLayer,
                                    .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                    .ppEnabledExtensionNames = extensions.data()};
    const VkResult created = vkCreateInstance(&info, nullptr, &instance_);
    if (created == VK_ERROR_INCOMPATIBLE_DRIVER)
        throw Error("no Vulkan device was found: no driver is installed (mesa-vulkan-drivers has one for every CPU)");
    vk(created, "create a Vulkan instance");
    volkLoadInstance(instance_);  // not volkLoadDevice(): its functions would be those of the last device for all others, too
    if (validate) vk(vkCreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_), "create the validation messenger");
}

Instance::~Instance() {
    if (messenger_) vkDestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
    vkDestroyInstance(instance_, nullptr);
}

bool Instance::layerKnowsMaximalReconvergence() const { return layerVersion_ == 0 || layerVersion_ >= VK_MAKE_API_VERSION(0, 1, 3, 280); }

std::vector<VkPhysicalDevice> Instance::physicalDevices() const {
    uint32_t count = 0;
    vk(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "count Vulkan devices");
    std::vector<VkPhysicalDevice> devices(count);
    vk(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "list Vulkan devices");
    return devices;
}

}  // namespace splat::gpu
