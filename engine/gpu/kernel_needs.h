#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <splatwright/gpu/features.h>
#include <splatwright/gpu/kernel.h>

namespace splat::gpu {

class Device;

/// Subgroup limits of compute kernels on a device.
struct SubgroupSizes {
    uint32_t own = 0;       ///< nominal size of kernels that do not pin one; some drivers run another
    uint32_t smallest = 0;  ///< smallest size that can be pinned
    uint32_t largest = 0;
    uint32_t perGroup = 0;  ///< maximum number of subgroups per group with a pinned size
};

/// Subgroup size to pin for groups of this size so that all subgroups are full: `wanted`, or the device's own if `wanted` is 0. Returns 0 if
/// there is none.
uint32_t fullSubgroupSize(const SubgroupSizes& sizes, const std::array<uint32_t, 3>& group, uint32_t wanted);

/// All sizes that kernels with groups of this size can be pinned to with full subgroups, in ascending order.
std::vector<uint32_t> offeredSubgroupSizes(const SubgroupSizes& sizes, const std::array<uint32_t, 3>& group);

bool hasSubgroupOperations(const KernelInfo& kernel);

/// The feature's name if the device does not have it; else empty.
std::string missingFor(const Device& device, Feature feature);

/// Why a device cannot run a kernel; empty if it can.
std::string missingFor(const Device& device, const KernelInfo& kernel);

}  // namespace splat::gpu
