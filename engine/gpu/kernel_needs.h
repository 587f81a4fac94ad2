#pragma once

#include <string>

#include "gpu/kernel.h"

namespace splat::gpu {

class Device;

/// What a device says of the subgroups of compute kernels.
struct SubgroupSizes {
    uint32_t own = 0;       ///< what kernels get that pin none, though some drivers run another
    uint32_t smallest = 0;  ///< that can be pinned
    uint32_t largest = 0;
    uint32_t perGroup = 0;  ///< subgroups in a group whose subgroup size is pinned, at most
};

/// The size to pin the subgroups of such groups to, so that all of them are full: `wanted`, or where that is 0 the device's own if possible. 0
/// if there is none.
uint32_t fullSubgroupSize(const SubgroupSizes& sizes, const std::array<uint32_t, 3>& group, uint32_t wanted);

bool hasSubgroupOperations(const KernelInfo& kernel);

/// Why a device cannot run a kernel; empty if it can.
std::string missingFor(const Device& device, const KernelInfo& kernel);

}  // namespace splat::gpu
