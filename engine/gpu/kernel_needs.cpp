#include <splatwright/gpu/kernel_needs.h>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <splatwright/gpu/device.h>
#include <splatwright/shared/dispatch.h>

namespace splat::gpu {

namespace {

using shared::kLargestSubgroup;
using shared::kSmallestSubgroup;

constexpr uint32_t kFirstSubgroupCapability = 61, kLastSubgroupCapability = 68;  // GroupNonUniform ... GroupNonUniformQuad

/// SPIR-V capabilities that need an optional feature (numbers of the SPIR-V specification).
struct CapabilityRow {
    uint32_t first, last;
    Feature feature;
};
constexpr CapabilityRow kCapabilities[] = {
    {11, 11, Feature::int64},         // Int64
    {12, 12, Feature::int64Atomics},  // Int64Atomics
    {22, 22, Feature::int16Storage},  // Int16
    {kFirstSubgroupCapability, kLastSubgroupCapability, Feature::subgroupOperations},
    {4433, 4434, Feature::int16Storage},  // StorageBuffer16BitAccess, UniformAndStorageBuffer16BitAccess
    {6033, 6033, Feature::floatAtomics},  // AtomicFloat32AddEXT
};

std::string_view nameOf(Feature feature) { return featureTable()[static_cast<size_t>(feature)].name; }

}  // namespace

std::vector<uint32_t> offeredSubgroupSizes(const SubgroupSizes& sizes, const std::array<uint32_t, 3>& group) {
    const uint32_t threads = group[0] * group[1] * group[2];
    std::vector<uint32_t> offered;
    for (uint32_t size = kSmallestSubgroup; size <= kLargestSubgroup; size *= 2) {
        if (size >= sizes.smallest && size <= sizes.largest && group[0] % size == 0 && threads / size <= sizes.perGroup)
            offered.push_back(size);
    }
    return offered;
}

uint32_t fullSubgroupSize(const SubgroupSizes& sizes, const std::array<uint32_t, 3>& group, uint32_t wanted) {
    const std::vector<uint32_t> offered = offeredSubgroupSizes(sizes, group);
    const auto fits = [&](uint32_t size) { return std::ranges::find(offered, size) != offered.end(); };
    if (wanted > 0) return fits(wanted) ? wanted : 0;
    if (offered.empty() || fits(sizes.own)) return offered.empty() ? 0 : sizes.own;
    return offered.front();
}

bool hasSubgroupOperations(const KernelInfo& kernel) {
    return std::ranges::any_of(kernel.capabilities,
                               [](uint32_t c) { return c >= kFirstSubgroupCapability && c <= kLastSubgroupCapability; });
}

std::string missingFor(const Device& device, Feature feature) { return device.has(feature) ? "" : fmt::format("'{}'", nameOf(feature)); }

std::string missingFor(const Device& device, const KernelInfo& asked) {
    const KernelInfo& kernel = device.fitting(asked);
    if (kernel.groupsharedBytes > device.limits().maxComputeSharedMemorySize) {
        return fmt::format("{} bytes of groupshared memory (here {})", kernel.groupsharedBytes, device.limits().maxComputeSharedMemorySize);
    }
    for (const uint32_t capability : kernel.capabilities) {
        for (const CapabilityRow& row : kCapabilities) {
            if (capability < row.first || capability > row.last || device.has(row.feature)) continue;
            return fmt::format("'{}' (SPIR-V capability {})", nameOf(row.feature), capability);
        }
    }
    if (hasSubgroupOperations(kernel) && device.fullSubgroupSize(kernel) == 0) {
        if (std::string missing = missingFor(device, Feature::subgroupSizeControl); !missing.empty()) return missing;
        const SubgroupSizes sizes = device.subgroupSizes();
        const std::string wanted = kernel.subgroupSize > 0 ? fmt::format("subgroups of {} lanes", kernel.subgroupSize) : "full subgroups";
        return fmt::format("{} in groups of {} threads (here {} to {} lanes, at most {} subgroups per group)", wanted, kernel.groupSize[0],
                           sizes.smallest, sizes.largest, sizes.perGroup);
    }
    return device.excludes(kernel) ? "correct results, which its self test did not give" : "";
}

}  // namespace splat::gpu
