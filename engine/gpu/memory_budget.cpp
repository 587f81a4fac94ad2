#include <splatwright/gpu/memory_budget.h>

#include <splatwright/gpu/check.h>

namespace splat::gpu {

namespace {

std::optional<MemoryBudget> ask(VkPhysicalDevice device) {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    vkGetPhysicalDeviceMemoryProperties2(device, &memory);
    const VkPhysicalDeviceMemoryProperties& heaps = memory.memoryProperties;
    std::optional<uint32_t> largest;
    for (uint32_t i = 0; i < heaps.memoryHeapCount; ++i) {
        const bool local = (heaps.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
        if (local && (!largest || heaps.memoryHeaps[i].size > heaps.memoryHeaps[*largest].size)) largest = i;
    }
    if (!largest) return std::nullopt;
    return MemoryBudget{.bytes = budget.heapBudget[*largest], .used = budget.heapUsage[*largest]};
}

}  // namespace

std::optional<MemoryBudget> memoryBudget(Device& device) {
    const auto query = device.known<BudgetQuery>(kBudgetQuery, [&]() -> BudgetQuery {
        const VkPhysicalDevice physical = device.physical();
        if (!device.offers(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME)) return [] { return std::optional<MemoryBudget>(); };
        return [physical] { return ask(physical); };
    });
    return (*query)();
}

bool hasRoomToSpare(Device& device, VkDeviceSize bytes) {
    constexpr VkDeviceSize kShare = 8;
    const VkDeviceSize wanted = kShare * bytes;
    if (static_cast<VkDeviceSize>(device.memoryInUse()) + wanted > device.memory().total()) return false;
    const auto budget = memoryBudget(device);
    return budget && budget->used + wanted <= budget->bytes;
}

void checkBudget(Device& device, const std::string& name, VkDeviceSize bytes) {
    if (static_cast<VkDeviceSize>(device.memoryInUse()) + bytes <= device.memory().reserved()) return;  // a block has a place for it
    const auto budget = memoryBudget(device);
    if (!budget || budget->used + bytes <= budget->bytes) return;
    throw OutOfMemory(
        "buffer '{}' needs {:.1f} MiB beside the {:.1f} MiB in use, but '{}' grants this process {:.1f} MiB at the moment: "
        "other programs use the rest",
        name, mebibytes(bytes), mebibytes(budget->used), device.name(), mebibytes(budget->bytes));
}

}  // namespace splat::gpu
