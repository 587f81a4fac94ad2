#include <splatwright/train/settings/passes.h>

#include <array>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/average_settings.h>
#include <splatwright/train/presets/requested_settings.h>
#include <splatwright/train/settings/setting_limits.h>
#include "../scene/scratch.h"
#include "train/setting_texts.h"

namespace splat {
namespace {

std::array<uint32_t, 3> phasesOf(const TrainSettings& settings) {
    return {settings.densifyUntil, settings.fullSizeFrom, settings.of<AverageSettings>().averageSteps};
}

TEST(Passes, AScheduleIsShortenedToPassesButNotBelowItsMinimum) {
    TrainSettings settings = defaultsOf("mcmc");
    EXPECT_EQ(withinPasses(settings, 1).steps, 30'000u) << "off by default";
    settings.maxPasses = 120;
    EXPECT_EQ(withinPasses(settings, 1).steps, settings.minSteps);
    EXPECT_EQ(withinPasses(settings, 150).steps, 18'000u);
    EXPECT_EQ(withinPasses(settings, 250).steps, 30'000u);
    EXPECT_EQ(withinPasses(settings, SIZE_MAX / 1000).steps, 30'000u);
    settings.steps = 5000;  // fewer than the minimum
    EXPECT_EQ(withinPasses(settings, 1).steps, 5000u);
}

TEST(Passes, AShorterScheduleEndsItsPhasesEarlierAndChangesNothingElse) {
    TrainSettings settings = defaultsOf("mcmc");
    settings.maxPasses = 120;
    TrainSettings found = withinPasses(settings, 150), again = withinPasses(found, 150), expected = settings;
    expected.steps = 18'000;
    expected.densifyUntil = 15'000;
    expected.fullSizeFrom = 1800;
    const auto fields = settingFields(found), repeated = settingFields(again), wanted = settingFields(expected);
    for (size_t i = 0; i < fields.size(); ++i) {
        EXPECT_EQ(settingText(fields[i]), settingText(wanted[i])) << fields[i].name;
        EXPECT_EQ(settingText(repeated[i]), settingText(wanted[i])) << fields[i].name;
    }
}

TEST(Passes, AnEarlyEndOfGrowthMovesTheFinalPhaseForwardAndKeepsItsLength) {
    TrainSettings settings;
    settings.steps = 10'000;
    settings.densifyUntil = 7500;
    struct Case {
        uint32_t fullSizeFrom, expected;
    };
    for (const auto& [fullSizeFrom, expected] : {Case{0, 0}, Case{1000, 1000}, Case{4000, 2000}, Case{7500, 2000}, Case{8000, 2500}}) {
        settings.fullSizeFrom = fullSizeFrom;
        const TrainSettings found = shortened(settings, {50, 2000});
        EXPECT_EQ(found.steps, 4500u);
        EXPECT_EQ(found.densifyUntil, 2000u);
        EXPECT_EQ(found.fullSizeFrom, expected) << "from " << fullSizeFrom;
        EXPECT_EQ(textsOf(shortened(found, {50, 2000})), textsOf(found)) << "twice";
    }
    EXPECT_EQ(textsOf(shortened(settings, {50, {}})), textsOf(settings));
    EXPECT_EQ(textsOf(shortened(settings, {50, 7500})), textsOf(settings)) << "where it ends anyway";
    EXPECT_EQ(textsOf(shortened(settings, {50, 9000})), textsOf(settings)) << "a changed densify_until";
    settings.steps = 5000;  // fewer than those of growth
    EXPECT_EQ(shortened(settings, {50, 2000}).steps, 2000u);
    settings.steps = 10'000;
    settings.maxPasses = 100;
    settings.minSteps = 1;
    EXPECT_EQ(shortened(settings, {50, 2000}).steps, 2000u + 5000 - 3750) << "after max_passes";
}

TEST(Passes, StepsThatAreAskedForAfterAnEarlyEndOfGrowthAllRun) {
    TrainSettings before;
    before.steps = 10'000;
    before.densifyUntil = 7500;
    const ScheduleLimits limits{50, 2000};
    EXPECT_FALSE(asksForSteps(before, shortened(before, limits), limits)) << "what a viewer shows";
    TrainSettings after = before;
    after.steps = 12'000;
    ASSERT_TRUE(asksForSteps(before, after, limits));
    runAllSteps(after, before, limits);
    EXPECT_EQ(shortened(after, limits).steps, 12'000u);
    EXPECT_EQ(shortened(after, limits).densifyUntil, 2000u);
}

TEST(Passes, GrowthThatHasEndedEarlyDoesNotBeginAgain) {
    TrainSettings before;
    before.densifyUntil = 7500;
    TrainSettings after = before;
    const ScheduleLimits limits{50, 2000};
    for (const uint32_t allowed : {7500u, 2000u, 100u}) {
        after.densifyUntil = allowed;
        EXPECT_NO_THROW(checkGrowth(before, after, limits)) << allowed;
    }
    for (const uint32_t refused : {2001u, 7400u, 9000u}) {
        after.densifyUntil = refused;
        EXPECT_THROW(checkGrowth(before, after, limits), InputError) << refused;
        EXPECT_NO_THROW(checkGrowth(before, after, {50, {}})) << refused;
    }
}

TEST(Passes, OtherStepsThanAPresetsKeepTheSharesOfItsPhases) {
    for (const char* preset : {"fast", "balanced", "best"}) {
        const TrainSettings whole = resolveSettings({.preset = preset});
        for (const uint32_t steps : {1u, 300u, 2'500u, 40'000u, kMostSteps}) {
            const SettingText asked{"steps", fmt::format("{}", steps)};
            const auto phases = phasesOf(whole), found = phasesOf(resolveSettings({.preset = preset, .values = {asked}}));
            for (size_t i = 0; i < found.size(); ++i)
                EXPECT_EQ(found[i], uint64_t{phases[i]} * steps / whole.steps) << preset << ", " << steps << " steps, phase " << i;
        }
    }
    EXPECT_EQ(resolveSettings({.values = {{"steps", "3000"}}}).densifyUntil, 2250u) << "also if no preset is named";
}

TEST(Passes, APhaseThatIsGivenBesideTheStepsStays) {
    const TrainSettings settings = resolveSettings({.preset = "balanced", .values = {{"steps", "1000"}, {"densify_until", "900"}}});
    EXPECT_EQ(phasesOf(settings), (std::array{900u, 300u, 100u}));
    const test::Scratch scratch;
    const std::string config = scratch.write("config.json", R"({"steps": 2000, "full_size_from": 7})");
    EXPECT_EQ(phasesOf(resolveSettings({.preset = "balanced", .config = config})), (std::array{1500u, 7u, 200u}));
    EXPECT_EQ(phasesOf(resolveSettings({.preset = "balanced", .config = config, .values = {{"steps", "4000"}}})),
              (std::array{3000u, 14u, 400u}));
}

TEST(Passes, StepsOfPublishedRecipesStayWhereTheyArePublished) {
    for (const char* preset : {"gsplat", "mcmc"}) {
        const TrainSettings shorter = resolveSettings({.preset = preset, .values = {{"steps", "7000"}}});
        EXPECT_EQ(phasesOf(shorter), phasesOf(resolveSettings({.preset = preset}))) << preset;
    }
}

TEST(Passes, PresetsLimitTheirPasses) {
    for (const auto& [preset, passes, least] : {std::tuple{"fast", 76u, 2'000u}, {"balanced", 120u, 2'000u}, {"best", 120u, 2'000u}}) {
        const TrainSettings settings = resolveSettings({.preset = preset});
        EXPECT_EQ(settings.maxPasses, passes) << preset;
        EXPECT_EQ(settings.minSteps, least) << preset;
    }
    EXPECT_EQ(resolveSettings({.values = {{"strategy", "default"}}}).maxPasses, 130u);
    EXPECT_EQ(resolveSettings({.values = {{"strategy", "default"}}}).minSteps, 10'000u);
    for (const char* preset : {"gsplat", "mcmc", "object"}) EXPECT_EQ(resolveSettings({.preset = preset}).maxPasses, 0u) << preset;
}

TEST(Passes, ThePhasesOfARunThatHasNotBegunMoveWithItsSteps) {
    const TrainSettings before = resolveSettings({});
    for (const bool begun : {false, true}) {
        TrainSettings after = before;
        after.steps = 5000;
        completeChange(after, before, begun);
        EXPECT_EQ(after.densifyUntil, begun ? 7500u : 3750u);
        EXPECT_EQ(after.fullSizeFrom, begun ? 3000u : 1500u);
    }
}

TEST(Passes, StepsThatAreAskedForRunWithThePhasesThatHaveBegun) {
    TrainSettings before = defaultsOf("mcmc");
    before.maxPasses = 120;
    TrainSettings after = before;
    after.steps = 20'000;
    EXPECT_TRUE(asksForSteps(before, after, {62}));
    runAllSteps(after, before, {62});
    const TrainSettings begun = withinPasses(before, 62);
    ASSERT_EQ(begun.steps, 12'000u);
    EXPECT_EQ(withinPasses(after, 62).steps, 20'000u);
    EXPECT_EQ(after.densifyUntil, begun.densifyUntil);
    EXPECT_EQ(after.fullSizeFrom, begun.fullSizeFrom);
    EXPECT_FALSE(asksForSteps(before, begun, {62})) << "what a viewer shows";
}

TEST(Passes, ANumberOfStepsChosenBeforeTheStartIsNotShortened) {
    TrainSettings before = defaultsOf("default"), settings = before;
    settings.steps = 25'000;
    completeChange(settings, before, false);
    EXPECT_EQ(withinPasses(settings, 10).steps, 25'000u);
    settings = before;
    settings.steps = 25'000;
    settings.maxPasses = 200;
    completeChange(settings, before, false);
    EXPECT_EQ(withinPasses(settings, 60).steps, 12'000u) << "a limit that was chosen, too";
}

TEST(Passes, StepsThatPassesLimitDoNotChange) {
    TrainSettings before = defaultsOf("mcmc");
    before.maxPasses = 120;
    TrainSettings after = before;
    after.steps = 60'000;
    EXPECT_THROW(checkLimit(before, after, 62), InputError);
    EXPECT_NO_THROW(checkLimit(before, before, 62));
    after.maxPasses = 0;
    EXPECT_NO_THROW(checkLimit(before, after, 62)) << "the limit is gone";
    after.maxPasses = 120;
    after.steps = 11'000;
    EXPECT_NO_THROW(checkLimit(before, after, 62)) << "fewer than the limit";
}

}  // namespace
}  // namespace splat
