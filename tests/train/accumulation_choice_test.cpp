#include <splatwright/train/step/accumulation_choice.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/settings/accumulation_setting.h>
#include <splatwright/train/settings/settings.h>

namespace splat {
namespace {

TrainSettings automatic() {
    TrainSettings settings;
    settings.accumulate = kAutomatic;
    return settings;
}

/// Some rows of the table, for tests that never record them.
std::vector<AccumulationMethod> methods(size_t count) {
    std::vector<AccumulationMethod> all = comparedMethods(automatic());
    all.resize(count);
    return all;
}

size_t indexOf(const std::vector<AccumulationMethod>& all, const AccumulationMethod& method) {
    return static_cast<size_t>(std::ranges::find(all, method) - all.begin());
}

/// Milliseconds of a method, by index, behind a step.
using Times = std::function<double(size_t method, uint32_t step)>;

/// Drives a choice over steps, whose times arrive some steps late as from a queue.
class TimedSteps {
public:
    TimedSteps(size_t count, Times times) : all_(methods(count)), times_(std::move(times)), choice(all_) {}

    void steps(uint32_t until, uint32_t late = 8) {
        for (; step_ < until; ++step_) {
            if (!round_.empty() && step_ >= asked_ + late) collect();
            const std::vector<AccumulationMethod> asked = choice.toTime(step_);
            if (asked.empty()) continue;
            EXPECT_TRUE(round_.empty()) << "asked again while a round is in flight";
            round_ = asked;
            asked_ = step_;
        }
    }

    void collect() {
        std::vector<double> milliseconds;
        for (const AccumulationMethod& method : round_) {
            const size_t index = indexOf(all_, method);
            milliseconds.push_back(times_(index, asked_));
            ++timed[index];
        }
        orders.push_back(std::exchange(round_, {}));
        if (const auto decision = choice.timed(asked_ + 1, milliseconds)) decisions.push_back(*decision);
    }

    size_t chosen() const { return indexOf(all_, choice.chosen()); }

private:
    std::vector<AccumulationMethod> all_;
    Times times_;
    uint32_t step_ = 0, asked_ = 0;
    std::vector<AccumulationMethod> round_;

public:
    AccumulationChoice choice;
    std::vector<AccumulationDecision> decisions;
    std::map<size_t, size_t> timed;  ///< times of a method
    std::vector<std::vector<AccumulationMethod>> orders;
};

TEST(AccumulationChoice, UsesTheFirstMethodUntilItHasTimes) {
    TimedSteps run(3, [](size_t method, uint32_t) { return 3.0 - static_cast<double>(method); });
    EXPECT_EQ(run.chosen(), 0u);
    run.steps(1);
    EXPECT_EQ(run.chosen(), 0u);
    EXPECT_TRUE(run.decisions.empty());
}

TEST(AccumulationChoice, PicksTheFastestAndNamesTheNext) {
    for (size_t fastest = 0; fastest < 5; ++fastest) {
        TimedSteps run(5, [&](size_t method, uint32_t) { return method == fastest ? 0.4 : 0.5 + 0.01 * static_cast<double>(method); });
        run.steps(200);
        ASSERT_EQ(run.decisions.size(), 1u);
        const AccumulationDecision& d = run.decisions[0];
        EXPECT_EQ(run.chosen(), fastest);
        EXPECT_EQ(d.chosen, run.choice.chosen());
        EXPECT_EQ(d.next, methods(5)[fastest == 0 ? 1 : 0]);
        EXPECT_NEAR(d.milliseconds, 0.4, 1e-4);
        EXPECT_NEAR(d.nextMilliseconds, fastest == 0 ? 0.51 : 0.5, 1e-4);
        EXPECT_EQ(d.changed, fastest != 0);
    }
}

// Backward passes of different views take different times; only the methods' ratios count.
TEST(AccumulationChoice, ComparesOnTheSameStep) {
    TimedSteps run(4, [](size_t method, uint32_t step) { return (method == 2 ? 0.9 : 1.0) * (1 + step * step % 7); });
    run.steps(200);
    EXPECT_EQ(run.chosen(), 2u);
}

TEST(AccumulationChoice, OneDisturbedStepDoesNotMatter) {
    for (size_t disturbed = 0; disturbed < AccumulationChoice::kRounds; ++disturbed) {
        size_t calls = 0;
        TimedSteps run(3, [&](size_t method, uint32_t) {
            if (method == 2) return calls++ == disturbed ? 10.0 : 0.5;
            return 1.0;
        });
        run.steps(200);
        EXPECT_EQ(run.chosen(), 2u) << disturbed;
    }
}

TEST(AccumulationChoice, NoiseOfThreePercentDoesNotChangeTheMethod) {
    std::minstd_rand random(7);
    std::uniform_real_distribution<double> noise(1, 1.03);
    TimedSteps run(6, [&](size_t, uint32_t) { return noise(random); });
    run.steps(100 * AccumulationChoice::kEvery);
    EXPECT_EQ(run.decisions.size(), 100u);
    for (const AccumulationDecision& d : run.decisions) EXPECT_FALSE(d.changed) << d.step;
}

// The goal: never slower than any method by more than 3 %.
TEST(AccumulationChoice, IsNeverMoreThanThreePercentSlowerThanTheFastest) {
    std::minstd_rand random(1);
    std::uniform_real_distribution<double> time(0.95, 1.05);
    for (int i = 0; i < 200; ++i) {
        std::vector<double> times;
        for (int m = 0; m < 8; ++m) times.push_back(time(random));
        TimedSteps run(8, [&](size_t method, uint32_t) { return times[method]; });
        run.steps(200);
        EXPECT_LE(times[run.chosen()], 1.0301 * std::ranges::min(times));
    }
}

TEST(AccumulationChoice, ComparesAgainEvery2000Steps) {
    TimedSteps run(3, [](size_t method, uint32_t step) { return (method == 1) == (step >= 3000) ? 0.4 : 0.5; });
    run.steps(6 * AccumulationChoice::kEvery);
    ASSERT_EQ(run.decisions.size(), 6u);
    for (size_t i = 0; i < 6; ++i) {
        EXPECT_GE(run.decisions[i].step, i * 2000 + 1);
        EXPECT_LE(run.decisions[i].step, i * 2000 + 100);
        EXPECT_EQ(indexOf(methods(3), run.decisions[i].chosen), i < 2 ? 0u : 1u);
        EXPECT_EQ(run.decisions[i].changed, i == 2);
    }
}

TEST(AccumulationChoice, SlowMethodsLeaveAfterTwoRoundsAndMissSevenComparisons) {
    TimedSteps run(4, [](size_t method, uint32_t) { return std::array{1.0, 1.1, 1.6, 9.0}[method]; });
    run.steps(1000);
    EXPECT_EQ(run.timed[0], AccumulationChoice::kRounds);
    EXPECT_EQ(run.timed[1], AccumulationChoice::kRounds);
    EXPECT_EQ(run.timed[2], AccumulationChoice::kFirstRounds);
    EXPECT_EQ(run.timed[3], AccumulationChoice::kFirstRounds);
    run.steps(15'000);
    EXPECT_EQ(run.timed[3], AccumulationChoice::kFirstRounds);
    run.steps(17'000);
    EXPECT_EQ(run.timed[3], 2 * AccumulationChoice::kFirstRounds);
}

// Its few times may be those of disturbed rounds.
TEST(AccumulationChoice, AMethodThatLeftIsNotChosen) {
    size_t calls = 0;
    TimedSteps run(3, [&](size_t method, uint32_t) {
        if (method == 0) return calls++ < AccumulationChoice::kFirstRounds ? 10.0 : 1.0;
        return method == 1 ? 1.0 : 2.0;
    });
    run.steps(3000);
    EXPECT_EQ(run.timed[2], AccumulationChoice::kFirstRounds);
    EXPECT_EQ(run.chosen(), 0u);
}

TEST(AccumulationChoice, AMethodThatBecameFastIsFoundAgain) {
    TimedSteps run(3, [](size_t method, uint32_t step) { return method == 2 ? (step < 1000 ? 9.0 : 0.5) : 1.0; });
    run.steps(17'000);
    EXPECT_EQ(run.chosen(), 2u);
}

TEST(AccumulationChoice, TheFastestOtherMethodStaysHoweverSlow) {
    TimedSteps run(3, [](size_t method, uint32_t) { return std::array{1.0, 9.0, 5.0}[method]; });
    run.steps(5000);
    ASSERT_EQ(run.decisions.size(), 3u);
    for (const AccumulationDecision& d : run.decisions) EXPECT_NEAR(d.nextMilliseconds, 5, 1e-3);
}

TEST(AccumulationChoice, RoundsBeginWithDifferentMethods) {
    TimedSteps run(5, [](size_t, uint32_t) { return 1.0; });
    run.steps(200);
    ASSERT_EQ(run.orders.size(), AccumulationChoice::kRounds);
    for (size_t round = 0; round < run.orders.size(); ++round) EXPECT_EQ(run.orders[round][0], methods(5)[round]);
}

TEST(AccumulationChoice, ARoundWhoseTimesAreLostIsRepeated) {
    AccumulationChoice choice(methods(3));
    const auto asked = choice.toTime(0);
    EXPECT_EQ(asked.size(), 3u);
    EXPECT_TRUE(choice.toTime(1).empty());
    choice.forget();
    EXPECT_EQ(choice.toTime(1), asked);
}

TEST(AccumulationChoice, ZeroTimesOfACoarseClockKeepTheMethod) {
    TimedSteps run(3, [](size_t, uint32_t) { return 0.0; });
    run.steps(200);
    EXPECT_EQ(run.decisions.size(), 1u);
    EXPECT_EQ(run.chosen(), 0u);
}

TEST(AccumulationChoice, OneMethodNeedsNoTimes) {
    TimedSteps run(1, [](size_t, uint32_t) { return 1.0; });
    run.steps(5000);
    EXPECT_TRUE(run.timed.empty());
}

TEST(AccumulationChoice, TimesOfOtherMethodsAreRefused) {
    AccumulationChoice choice(methods(3));
    EXPECT_THROW(choice.timed(1, std::vector{1.0}), std::logic_error);
    choice.toTime(0);
    EXPECT_THROW(choice.timed(1, std::vector{1.0}), std::logic_error);
}

TEST(ComparedMethods, AreTheRowsThatNeedNoBuffersOfTheirOwn) {
    const std::vector<AccumulationMethod> compared = comparedMethods(automatic());
    ASSERT_FALSE(compared.empty());
    EXPECT_EQ(compared[0], firstMethod(TrainSettings()));
    for (const AccumulationRow* row : accumulationTable()) {
        const bool expected = !row->deterministic && !row->checkpoints && !row->baseline;
        EXPECT_EQ(std::ranges::count(compared, row, &AccumulationMethod::row), !expected ? 0 : row->balanced ? 9 : 1) << row->name;
    }
    for (const AccumulationMethod& method : compared) EXPECT_EQ(std::ranges::count(compared, method), 1) << nameOf(method);
}

TEST(ComparedMethods, AreNoneIfTheSettingsNameOne) {
    TrainSettings settings;
    for (const AccumulationRow* row : accumulationTable()) {
        settings.accumulate = row->name;
        EXPECT_TRUE(comparedMethods(settings).empty());
        EXPECT_EQ(firstMethod(settings).row, row);
        EXPECT_EQ(firstMethod(settings).balanceThreshold, row->balanced ? settings.balanceThreshold : 0);
    }
    accumulateDeterministically(settings = automatic());
    EXPECT_TRUE(accumulationByName(settings.accumulate).deterministic);
    EXPECT_TRUE(comparedMethods(settings).empty());
}

TEST(ComparedMethods, AutomaticIsRefusedWhereItMayNotChoose) {
    TrainSettings settings = automatic();
    EXPECT_NO_THROW(checkTogether(settings));
    settings.deterministic = true;
    EXPECT_THROW(checkTogether(settings), InputError);
    settings.deterministic = false;
    settings.clampGradients = true;
    EXPECT_THROW(checkTogether(settings), InputError);
}

TEST(ComparedMethods, HaveDifferentNames) {
    std::set<std::string> names;
    for (const AccumulationMethod& method : comparedMethods(automatic())) EXPECT_TRUE(names.insert(nameOf(method)).second);
    EXPECT_TRUE(names.contains("subtile"));
    EXPECT_TRUE(names.contains("subgroup from 3/8 of the lanes"));
}

}  // namespace
}  // namespace splat
