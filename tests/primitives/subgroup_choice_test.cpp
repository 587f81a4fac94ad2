// Which of the subgroup sizes that a device offers its kernels use.
#include <splatwright/primitives/subgroup_choice.h>

#include <map>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "support/test_device.h"

namespace splat::primitives {
namespace {

constexpr uint32_t kSizes[] = {8, 16, 32};

/// Trials of a device whose sizes give these results and take so long.
struct MadeDevice {
    std::map<uint32_t, std::string> failures;
    std::map<uint32_t, double> times;
    std::vector<uint32_t> timed{};

    SubgroupTrials trials() {
        return {.test = [this](uint32_t size) { return failures[size]; },
                .time =
                    [this](uint32_t size) {
                        timed.push_back(size);
                        return times.at(size);
                    }};
    }
};

TEST(SubgroupChoice, IsTheFastestWithCorrectResults) {
    MadeDevice device{{{16, "key 3 at 7, expected 2"}}, {{8, 3.0}, {16, 1.0}, {32, 2.0}}};
    const SubgroupChoice choice = chooseSubgroupSize(kSizes, device.trials());
    EXPECT_EQ(choice.size, 32u);
    EXPECT_EQ(device.timed, (std::vector<uint32_t>{8, 32})) << "what is wrong is not timed";
    ASSERT_EQ(choice.choices.size(), 3u);
    EXPECT_EQ(choice.choices[1].reason, "wrong result: key 3 at 7, expected 2");
    for (const VariantChoice& row : choice.choices) EXPECT_EQ(row.selected, row.variant == "32") << row.variant;
    EXPECT_NE(choice.choices[2].reason.find("2.000 ms"), std::string::npos) << choice.choices[2].reason;
}

TEST(SubgroupChoice, OfEqualTimesIsTheSmallest) {
    MadeDevice device{{}, {{8, 1.0}, {16, 1.0}, {32, 1.0}}};
    EXPECT_EQ(chooseSubgroupSize(kSizes, device.trials()).size, 8u);
}

TEST(SubgroupChoice, OfOneSizeNeedsNoTrial) {
    MadeDevice device;
    const SubgroupChoice choice = chooseSubgroupSize(std::span(kSizes).first(1), device.trials());
    EXPECT_EQ(choice.size, 8u);
    EXPECT_TRUE(device.timed.empty() && device.failures.empty());
    ASSERT_EQ(choice.choices.size(), 1u);
    EXPECT_TRUE(choice.choices[0].selected);
}

TEST(SubgroupChoice, ASizeThatTheDriverRefusesIsWrong) {
    MadeDevice device{{}, {{8, 1.0}, {32, 2.0}}};
    SubgroupTrials trials = device.trials();
    trials.time = [time = trials.time](uint32_t size) { return size == 8 ? throw Error("no such pipeline") : time(size); };
    trials.test = [](uint32_t size) { return std::string(size == 16 ? "wrong" : ""); };
    EXPECT_EQ(chooseSubgroupSize(kSizes, trials).size, 32u);
    trials.test = [](uint32_t) { return std::string("wrong"); };
    EXPECT_EQ(chooseSubgroupSize(kSizes, trials).size, 0u);
}

TEST(SubgroupChoice, TrialsRunOnTheTestDevice) {
    const auto choice = settleSubgroupSize(testDevice());
    if (choice->size == 0) GTEST_SKIP() << "the device has no subgroup operations of a known size";
    const SubgroupTrials trials = subgroupTrials(testDevice());
    EXPECT_EQ(trials.test(choice->size), "");
    EXPECT_GT(trials.time(choice->size), 0);
    EXPECT_EQ(testDevice().validationMessages(), 0u);
}

}  // namespace
}  // namespace splat::primitives
