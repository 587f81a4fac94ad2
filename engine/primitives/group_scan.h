#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <splatwright/gpu/device.h>

namespace splat::primitives {

/// How workgroups reduce and scan: with subgroup operations, or with groupshared memory only.
enum class GroupScan { subgroup, portable };

inline constexpr std::pair<GroupScan, const char*> kGroupScans[] = {{GroupScan::subgroup, "subgroup"}, {GroupScan::portable, "portable"}};

/// Whether the device supports a variant.
bool isAvailable(const gpu::Device& device, GroupScan variant);

/// The primitives that scan within workgroups. Each has its own self test.
enum class Summing { scan, compaction, cdf };

inline constexpr std::pair<Summing, const char*> kSummings[] = {
    {Summing::scan, "scan"}, {Summing::compaction, "compaction"}, {Summing::cdf, "cdf"}};

/// Result of a primitive's start-up self test, for `info`.
struct GroupScanSelfTest {
    GroupScan variant = GroupScan::portable;  ///< the first available one with correct results
    bool passed = false;                      ///< false: no variant passed, and the device cannot be used
    std::string failures;                     ///< variants that failed before, with reasons; empty: none
};

/// Runs small inputs through a primitive. Returns what is wrong with the results; empty if they are correct.
std::string testGroupScan(gpu::Device& device, Summing primitive, GroupScan variant);

/// Tests available variants, best first, until one passes. The result of a device's first call is kept.
std::shared_ptr<const GroupScanSelfTest> groupScanSelfTest(gpu::Device& device, Summing primitive);

/// The variant that the self test chose. Throws Error if none gives correct results on this device.
GroupScan bestGroupScan(gpu::Device& device, Summing primitive);

}  // namespace splat::primitives
