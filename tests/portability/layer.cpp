// A Vulkan layer that makes each device one of those with rules of their own, as MoltenVK's are: they list VK_KHR_portability_subset, and whoever makes a
// device of one without asking for it has broken the rule (VUID-VkDeviceCreateInfo-pProperties-04451).
#include <algorithm>
#include <cstring>
#include <vector>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

namespace {

constexpr const char* kSubset = "VK_KHR_portability_subset";

// One instance and one device at a time are enough for a test.
PFN_vkGetInstanceProcAddr nextInstance = nullptr;
PFN_vkGetDeviceProcAddr nextDevice = nullptr;
PFN_vkEnumerateDeviceExtensionProperties nextEnumerate = nullptr;
VkInstance instance = VK_NULL_HANDLE;

/// The part of the chain that tells a layer what is below it.
template <class Link, class Info>
Link* linkOf(const Info* info, VkStructureType type) {
    auto* link = reinterpret_cast<Link*>(const_cast<void*>(info->pNext));
    while (link && !(link->sType == type && link->function == VK_LAYER_LINK_INFO))
        link = reinterpret_cast<Link*>(const_cast<void*>(link->pNext));
    return link;
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator, VkInstance* made) {
    auto* link = linkOf<VkLayerInstanceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    nextInstance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result = reinterpret_cast<PFN_vkCreateInstance>(nextInstance(VK_NULL_HANDLE, "vkCreateInstance"))(info, allocator, made);
    if (result != VK_SUCCESS) return result;
    instance = *made;
    // Now: once the loader has the whole chain, it answers with this layer's function.
    nextEnumerate =
        reinterpret_cast<PFN_vkEnumerateDeviceExtensionProperties>(nextInstance(instance, "vkEnumerateDeviceExtensionProperties"));
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL enumerateExtensions(VkPhysicalDevice device, const char* layer, uint32_t* count,
                                                   VkExtensionProperties* out) {
    if (layer) return nextEnumerate(device, layer, count, out);
    uint32_t real = 0;
    VkResult result = nextEnumerate(device, nullptr, &real, nullptr);
    std::vector<VkExtensionProperties> all(real);
    if (result == VK_SUCCESS) result = nextEnumerate(device, nullptr, &real, all.data());
    if (result != VK_SUCCESS) return result;
    VkExtensionProperties& subset = all.emplace_back();
    std::strncpy(subset.extensionName, kSubset, VK_MAX_EXTENSION_NAME_SIZE - 1);
    subset.specVersion = 1;
    const auto wanted = static_cast<uint32_t>(all.size());
    if (out) std::copy_n(all.begin(), std::min(*count, wanted), out);
    const bool fits = !out || *count >= wanted;
    *count = out ? std::min(*count, wanted) : wanted;
    return fits ? VK_SUCCESS : VK_INCOMPLETE;
}

/// The real device knows nothing of the extension.
VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkDevice* made) {
    std::vector<const char*> extensions(info->ppEnabledExtensionNames, info->ppEnabledExtensionNames + info->enabledExtensionCount);
    if (std::erase_if(extensions, [](const char* name) { return std::strcmp(name, kSubset) == 0; }) != 1)
        return VK_ERROR_INITIALIZATION_FAILED;
    auto* link = linkOf<VkLayerDeviceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    const auto create = reinterpret_cast<PFN_vkCreateDevice>(link->u.pLayerInfo->pfnNextGetInstanceProcAddr(instance, "vkCreateDevice"));
    nextDevice = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkDeviceCreateInfo without = *info;
    without.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    without.ppEnabledExtensionNames = extensions.data();
    return create(physical, &without, allocator, made);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceFunction(VkDevice device, const char* name) { return nextDevice(device, name); }

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instanceFunction(VkInstance of, const char* name) {
    const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("vkCreateInstance")) return reinterpret_cast<PFN_vkVoidFunction>(createInstance);
    if (is("vkEnumerateDeviceExtensionProperties")) return reinterpret_cast<PFN_vkVoidFunction>(enumerateExtensions);
    if (is("vkCreateDevice")) return reinterpret_cast<PFN_vkVoidFunction>(createDevice);
    if (is("vkGetDeviceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(deviceFunction);
    return nextInstance ? nextInstance(of, name) : nullptr;
}

}  // namespace

extern "C" VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* layer) {
    layer->loaderLayerInterfaceVersion = std::min(layer->loaderLayerInterfaceVersion, 2u);
    layer->pfnGetInstanceProcAddr = instanceFunction;
    layer->pfnGetDeviceProcAddr = deviceFunction;
    layer->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
