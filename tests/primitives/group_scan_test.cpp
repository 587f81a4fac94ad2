// The start-up self test of what adds up within workgroups, and what is picked where a driver gets it wrong.
#include <splatwright/primitives/group_scan.h>

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include <splatwright/primitives/cdf.h>
#include <splatwright/primitives/compact.h>
#include "kernels/cdf_tiles.h"
#include "kernels/compact_lookback.h"
#include "kernels/compact_write.h"
#include "kernels/scan_lookback.h"
#include "kernels/scan_write.h"
#include "kernels/scan_write_portable.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

/// A kernel's code with one instruction in the place of another that has the same operands.
std::vector<uint32_t> replaced(const gpu::KernelInfo& kernel, uint32_t from, uint32_t to) {
    std::vector<uint32_t> code(kernel.code.begin(), kernel.code.end());
    for (size_t at = 5; at < code.size(); at += code[at] >> 16u) {
        if ((code[at] & 0xffffu) == from) code[at] = (code[at] & 0xffff0000u) | to;
    }
    EXPECT_FALSE(std::ranges::equal(code, kernel.code)) << kernel.name;
    return code;
}

constexpr uint32_t kSubgroupAdd = 349, kSubgroupMultiply = 351;  // OpGroupNonUniformIAdd, OpGroupNonUniformIMul

std::map<std::string, std::vector<uint32_t>> withWrongSums(std::initializer_list<const gpu::KernelInfo*> kernels) {
    std::map<std::string, std::vector<uint32_t>> codes;
    for (const gpu::KernelInfo* kernel : kernels) codes[kernel->name] = replaced(*kernel, kSubgroupAdd, kSubgroupMultiply);
    return codes;
}

TEST(GroupScanSelfTest, WrongSubgroupSumsLeadToThePortableVariant) {
    const std::pair<Summing, std::map<std::string, std::vector<uint32_t>>> cases[] = {
        {Summing::scan, withWrongSums({&kernels::scan_lookback::info(), &kernels::scan_write::info()})},
        {Summing::compaction, withWrongSums({&kernels::compact_lookback::info(), &kernels::compact_write::info()})},
        {Summing::cdf, withWrongSums({&kernels::cdf_tiles::info()})}};
    if (!isAvailable(testDevice(), Summing::scan, GroupScan::subgroup))
        GTEST_SKIP() << "subgroup variants need " << missingFor(testDevice(), Summing::scan, GroupScan::subgroup);
    for (const auto& [broken, codes] : cases) {
        gpu::Device device(testDeviceOptions());
        device.replaceKernels(codes);
        for (const auto& [primitive, name] : kSummings) {
            const auto test = groupScanSelfTest(device, primitive);
            const bool isBroken = primitive == broken;
            EXPECT_TRUE(test->passed) << name;
            EXPECT_EQ(test->variant, isBroken ? GroupScan::portable : bestGroupScan(testDevice(), primitive)) << name;
            EXPECT_EQ(test->failures.find("subgroup: ") != std::string::npos, isBroken) << name << ": " << test->failures;
            EXPECT_EQ(bestGroupScan(device, primitive), test->variant) << name;
        }
    }
}

TEST(GroupScanSelfTest, AWrongLookBackLeadsToTwoPasses) {
    if (!isAvailable(testDevice(), Summing::scan, GroupScan::lookBack))
        GTEST_SKIP() << "look-back needs " << missingFor(testDevice(), Summing::scan, GroupScan::lookBack);
    gpu::Device device(testDeviceOptions());
    device.replaceKernels(withWrongSums({&kernels::scan_lookback::info(), &kernels::compact_lookback::info()}));
    for (const Summing primitive : {Summing::scan, Summing::compaction}) {
        EXPECT_NE(testGroupScan(device, primitive, GroupScan::lookBack), "");
        EXPECT_EQ(testGroupScan(testDevice(), primitive, GroupScan::lookBack), "");
        const auto test = groupScanSelfTest(device, primitive);
        EXPECT_EQ(test->variant, GroupScan::subgroup);
        EXPECT_EQ(test->failures.find("look-back: ") == 0, !device.isSoftware()) << test->failures;
    }
}

/// Software devices launch groups at little cost and gain nothing from one pass.
TEST(GroupScanSelfTest, GpusTakeOnePassAndSoftwareDevicesTwo) {
    if (!isAvailable(testDevice(), Summing::scan, GroupScan::lookBack))
        GTEST_SKIP() << "look-back needs " << missingFor(testDevice(), Summing::scan, GroupScan::lookBack);
    const GroupScan expected = testDevice().isSoftware() ? GroupScan::subgroup : GroupScan::lookBack;
    EXPECT_EQ(bestGroupScan(testDevice(), Summing::scan), expected);
    EXPECT_EQ(bestGroupScan(testDevice(), Summing::compaction), expected);
    EXPECT_EQ(bestGroupScan(testDevice(), Summing::cdf), GroupScan::subgroup);
}

TEST(GroupScanSelfTest, ADeviceWhereNoVariantIsRightIsRefused) {
    gpu::Device device(testDeviceOptions({"subgroup-operations"}));
    const gpu::KernelInfo& kernel = kernels::scan_write_portable::info();
    constexpr uint32_t kAdd = 128, kXor = 198;  // OpIAdd, OpBitwiseXor
    device.replaceKernels({{kernel.name, replaced(kernel, kAdd, kXor)}});
    EXPECT_FALSE(groupScanSelfTest(device, Summing::scan)->passed);
    try {
        const ExclusiveScan scan(device);
        FAIL() << "a scan that is wrong was made";
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("portable: "), std::string::npos) << e.what();
    }
}

TEST(GroupScanSelfTest, WithoutSubgroupsThatAreFullThePortableVariantIsPicked) {
    for (const char* feature : {"subgroup-operations", "subgroup-size-control"}) {
        gpu::Device device(testDeviceOptions({feature}));
        for (const auto& [primitive, name] : kSummings) {
            const auto test = groupScanSelfTest(device, primitive);
            EXPECT_TRUE(test->passed) << name;
            EXPECT_EQ(test->variant, GroupScan::portable) << name << " without " << feature;
            EXPECT_EQ(test->failures, "") << name;
        }
        EXPECT_EQ(device.validationMessages(), 0u);
    }
}

}  // namespace
}  // namespace splat::primitives
