#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/device.h"

namespace splat::primitives {

/// How workgroups add up: with subgroup operations, or with groupshared memory alone.
enum class GroupScan { subgroup, portable };

inline constexpr std::pair<GroupScan, const char*> kGroupScans[] = {{GroupScan::subgroup, "subgroup"}, {GroupScan::portable, "portable"}};

/// Whether the device has what a variant needs.
bool isAvailable(const gpu::Device& device, GroupScan variant);

/// The primitives that add up within workgroups. Each has a self test of its own.
enum class Summing { scan, compaction, cdf };

inline constexpr std::pair<Summing, const char*> kSummings[] = {
    {Summing::scan, "scan"}, {Summing::compaction, "compaction"}, {Summing::cdf, "cdf"}};

/// What the start-up self test of a primitive found, for `info`.
struct GroupScanSelfTest {
    GroupScan variant = GroupScan::portable;  ///< the first available one that gave right results
    bool passed = false;                      ///< false: none did, and the device cannot be used
    std::string failures;                     ///< the variants that were tried before and what they got wrong; empty: none
};

/// Runs small inputs through a primitive and names what is wrong with the results; empty when nothing is.
std::string testGroupScan(gpu::Device& device, Summing primitive, GroupScan variant);

/// Tests the available variants, best first, up to the first that is right; the first call for a device counts.
std::shared_ptr<const GroupScanSelfTest> groupScanSelfTest(gpu::Device& device, Summing primitive);

/// The variant that the self test picked. Throws Error if none gives right results on this device.
GroupScan bestGroupScan(gpu::Device& device, Summing primitive);

}  // namespace splat::primitives
