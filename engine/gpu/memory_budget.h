#pragma once

#include <functional>
#include <optional>
#include <string>

#include <splatwright/gpu/device.h>

namespace splat::gpu {

/// What the driver grants this process of the GPU's memory at the moment; other programs have the rest.
struct MemoryBudget {
    VkDeviceSize bytes = 0;
    VkDeviceSize used = 0;  ///< by this process
};

/// Asks for a budget; none: the driver does not say. A device keeps the one that is first given to Device::known() by this name, so that tests
/// can grant less.
using BudgetQuery = std::function<std::optional<MemoryBudget>()>;
inline constexpr const char* kBudgetQuery = "memory budget";

/// Of the largest device-local heap; none without VK_EXT_memory_budget.
std::optional<MemoryBudget> memoryBudget(Device& device);

/// Whether so many bytes are at most an eighth of what is free, of the device and of the budget: for what could be elsewhere, beside work that still
/// needs more. False if the driver does not say.
bool hasRoomToSpare(Device& device, VkDeviceSize bytes);

/// Throws OutOfMemory if a buffer of this size needs an allocation beyond the budget: drivers may then move memory to the host, which is many
/// times slower, or end the process.
void checkBudget(Device& device, const std::string& name, VkDeviceSize bytes);

}  // namespace splat::gpu
