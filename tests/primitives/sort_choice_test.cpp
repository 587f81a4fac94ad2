// Which variants of the sort and of scans are selected on a device, and what `info` is told about it.
#include <algorithm>

#include <gtest/gtest.h>

#include <splatwright/primitives/group_scan.h>
#include "primitives/sort_pairs.h"
#include "support/test_device.h"

namespace splat::primitives {
namespace {

/// A device of its own without one feature.
class WithoutFeature : public testing::TestWithParam<gpu::FeatureRow> {
protected:
    gpu::Device device{testDeviceOptions({std::string(GetParam().name)})};
};

TEST_P(WithoutFeature, TheSelectedSortSorts) {
    const RadixSort sort(device);
    EXPECT_TRUE(sort.selfTest().passed);
    EXPECT_TRUE(sort.selfTest().variant.ends_with(sort.variantFor(UINT32_MAX).name));
    EXPECT_EQ(sort.selfTest().failures, "");
    const Pairs<uint32_t> pairs = randomPairs(30'000, 2);
    EXPECT_EQ(sortOnDevice(device, sort, pairs, {}), sortOnHost(pairs, {}));
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST_P(WithoutFeature, TheSelectedScansPassTheirSelfTest) {
    for (const auto& [primitive, name] : kSummings) {
        const auto test = groupScanSelfTest(device, primitive);
        EXPECT_TRUE(test->passed) << name;
        EXPECT_EQ(test->failures, "") << name;
        EXPECT_TRUE(isAvailable(device, primitive, test->variant)) << name;
    }
    EXPECT_EQ(device.validationMessages(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Features, WithoutFeature, testing::ValuesIn(gpu::featureTable()), [](const auto& p) {
    std::string name(p.param.name);
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(SmallKernels, SortAndSumInLittleMemory) {
    gpu::Device device(optionsOfLittleMemory());
    const RadixSort sort(device);
    EXPECT_EQ(sort.selfTest().failures, "");
    const Pairs<uint32_t> pairs = randomPairs(30'000, 2);
    EXPECT_EQ(sortOnDevice(device, sort, pairs, {}), sortOnHost(pairs, {}));
    for (const auto& [primitive, name] : kSummings) {
        const auto test = groupScanSelfTest(device, primitive);
        EXPECT_TRUE(test->passed) << name;
        EXPECT_EQ(test->failures, "") << name;
    }
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(RadixSortSelfTest, WithoutSubgroupOperationsAPortableVariantIsPicked) {
    gpu::Device device(testDeviceOptions({"subgroup-operations"}));
    EXPECT_NE(RadixSort(device).selfTest().variant.find("portable"), std::string::npos);
}

TEST(VariantChoices, ThoseOfTheSortNameEveryVariantAndTheSelectedOnes) {
    const RadixSort sort(testDevice());
    const auto& choices = sort.selfTest().choices;
    EXPECT_EQ(choices.size(), sortVariants().size());
    std::string selected;
    for (const SortVariant& variant : sortVariants()) {
        const auto choice = std::ranges::find(choices, variant.name, &VariantChoice::variant);
        ASSERT_NE(choice, choices.end()) << variant.name;
        EXPECT_EQ(choice->reason.starts_with("needs "), !variant.available(testDevice())) << variant.name << ": " << choice->reason;
        EXPECT_EQ(choice->selected, choice->reason.starts_with("correct results")) << variant.name << ": " << choice->reason;
    }
    for (const VariantChoice& choice : choices) {
        if (choice.selected) selected += (selected.empty() ? "" : ", ") + choice.variant;
    }
    EXPECT_EQ(selected, sort.selfTest().variant);
}

TEST(VariantChoices, ThoseOfScansNameTheSelectedOneAndWhatOthersNeed) {
    for (const auto& [primitive, name] : kSummings) {
        const auto test = groupScanSelfTest(testDevice(), primitive);
        EXPECT_EQ(test->choices.size(), primitive == Summing::cdf ? 2u : 3u) << name;
        EXPECT_EQ(std::ranges::count(test->choices, true, &VariantChoice::selected), 1) << name;
        for (const VariantChoice& choice : test->choices) {
            const auto* row = std::ranges::find(kGroupScans, choice.variant, &std::pair<GroupScan, const char*>::second);
            ASSERT_NE(row, std::end(kGroupScans)) << choice.variant;
            EXPECT_EQ(choice.selected, row->first == test->variant) << name << ' ' << choice.variant;
            EXPECT_EQ(choice.reason.starts_with("needs "), !isAvailable(testDevice(), primitive, row->first)) << choice.reason;
        }
    }
}

TEST(VariantChoices, WithoutForwardProgressNothingLooksBack) {
    gpu::Device device(testDeviceOptions({"forward-progress"}));
    for (const SortVariant& variant : sortVariants()) {
        const std::string missing = variant.missing(device);
        EXPECT_EQ(missing.find("'forward-progress'") != std::string::npos, variant.spine == SortSpine::lookBack) << variant.name;
    }
    for (const Summing primitive : {Summing::scan, Summing::compaction}) {
        EXPECT_EQ(missingFor(device, primitive, GroupScan::lookBack), "'forward-progress'");
        EXPECT_EQ(missingFor(device, primitive, GroupScan::subgroup).find("forward-progress"), std::string::npos);
    }
    const RadixSort sort(device);
    for (const VariantChoice& choice : sort.selfTest().choices)
        EXPECT_FALSE(choice.selected && choice.variant.starts_with("onesweep")) << choice.variant;
}

}  // namespace
}  // namespace splat::primitives
