#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <splatwright/gpu/device.h>
#include <splatwright/primitives/variant_choice.h>

namespace splat::primitives {

/// How a primitive scans: in one pass with decoupled look-back and subgroup operations, or in two passes with subgroup operations or with groupshared
/// memory only.
enum class GroupScan { lookBack, subgroup, portable };

inline constexpr std::pair<GroupScan, const char*> kGroupScans[] = {
    {GroupScan::lookBack, "look-back"}, {GroupScan::subgroup, "subgroup"}, {GroupScan::portable, "portable"}};

/// The primitives that scan within workgroups. Each has its own self test.
enum class Summing { scan, compaction, cdf };

inline constexpr std::pair<Summing, const char*> kSummings[] = {
    {Summing::scan, "scan"}, {Summing::compaction, "compaction"}, {Summing::cdf, "cdf"}};

/// What the device lacks for a variant of a primitive that has it; empty: nothing.
std::string missingFor(gpu::Device& device, Summing primitive, GroupScan variant);

/// Whether the primitive has this variant and the device supports it.
bool isAvailable(gpu::Device& device, Summing primitive, GroupScan variant);

/// Result of a primitive's start-up self test, for `info`.
struct GroupScanSelfTest {
    GroupScan variant = GroupScan::portable;  ///< the first available one with correct results
    bool passed = false;                      ///< false: no variant passed, and the device cannot be used
    std::string failures;                     ///< variants that failed before, with reasons; empty: none
    std::vector<VariantChoice> choices;       ///< of all variants, in the order in which they are tried
};

/// Runs small inputs through a primitive. Returns what is wrong with the results; empty if they are correct.
std::string testGroupScan(gpu::Device& device, Summing primitive, GroupScan variant);

/// Tests available variants until one passes, the fastest on devices of this kind first. The result of a device's first call is kept.
std::shared_ptr<const GroupScanSelfTest> groupScanSelfTest(gpu::Device& device, Summing primitive);

/// The variant that the self test chose. Throws Error if none gives correct results on this device.
GroupScan bestGroupScan(gpu::Device& device, Summing primitive);

}  // namespace splat::primitives
