#include <splatwright/train/settings/settings.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/settings.h>
#include <splatwright/render/backward.h>
#include <splatwright/train/densify/budget_settings.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/densify/mcmc_settings.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/parts/colour_change_settings.h>
#include <splatwright/train/parts/colour_grid_settings.h>
#include <splatwright/train/parts/exposure_settings.h>
#include <splatwright/train/presets/requested_settings.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/settings/setting_limits.h>
#include "../scene/scratch.h"
#include "train/setting_texts.h"

namespace splat {
namespace {

/// A person changes the strategy.
TrainSettings changed(const TrainSettings& before, std::string_view strategy, bool begun = false) {
    TrainSettings settings = before;
    settings.strategy = strategy;
    completeChange(settings, before, begun);
    return settings;
}

TEST(Settings, AStrategyBringsItsDefaultsAndTakesThemAway) {
    for (const DensifierRow* from : densifierTable()) {
        for (const DensifierRow* to : densifierTable())
            EXPECT_EQ(textsOf(changed(defaultsOf(from->name), to->name)), textsOf(defaultsOf(to->name)))
                << from->name << " to " << to->name;
    }
    EXPECT_NE(defaultsOf("mcmc").noiseLr, defaultsOf("default").noiseLr);
    EXPECT_THROW(defaultsOf("best"), InputError);
}

TEST(Settings, WhatAPersonHasSetStaysWithAnotherStrategy) {
    TrainSettings mine = defaultsOf("default");
    mine.opacityReg = 0.5;
    mine.maxSplats = 1234;
    const TrainSettings mcmc = changed(mine, "mcmc");
    EXPECT_EQ(mcmc.opacityReg, 0.5);
    EXPECT_EQ(mcmc.maxSplats, 1234u);
    EXPECT_EQ(mcmc.noiseLr, defaultsOf("mcmc").noiseLr);
}

/// What trains if nothing is said is a preset over a strategy, and goes with it.
TEST(Settings, AnotherStrategyTakesAwayWhatTrainsIfNothingIsSaid) {
    TrainSettings before = resolveSettings({});
    for (const DensifierRow* to : densifierTable()) {
        if (to->name == before.strategy) continue;
        EXPECT_EQ(textsOf(changed(before, to->name)), textsOf(defaultsOf(to->name))) << to->name;
    }
    before.lrSh0 = 0.0125;
    EXPECT_EQ(changed(before, "mcmc").lrSh0, 0.0125);
}

TEST(Settings, WhatNeedsANewStartStaysOnceTrainingHasBegun) {
    const TrainSettings before = defaultsOf("default"), mcmc = changed(before, "mcmc", true);
    EXPECT_EQ(mcmc.initOpacity, before.initOpacity);
    EXPECT_NE(defaultsOf("mcmc").initOpacity, before.initOpacity);
    EXPECT_EQ(mcmc.noiseLr, defaultsOf("mcmc").noiseLr);
}

TEST(Settings, DeterministicBringsAWayToAccumulate) {
    const TrainSettings before;
    ASSERT_FALSE(accumulationByName(before.accumulate).deterministic);
    TrainSettings settings = before;
    settings.deterministic = true;
    completeChange(settings, before, false);
    EXPECT_NO_THROW(checkTogether(settings));
    const TrainSettings on = settings;
    settings.accumulate = before.accumulate;  // by hand afterwards: that is refused, not mended
    completeChange(settings, on, false);
    EXPECT_THROW(checkTogether(settings), InputError);
}

constexpr uint32_t kSplatPixels = 24;
constexpr uint64_t kPixels = kSplatPixels;  // sums of them are wide

TEST(Settings, TheMaximumOfSplatsIsOneInSoManyPixelsOfTheTrainingImages) {
    TrainSettings settings;
    settings.maxSplats = 600'000;
    EXPECT_EQ(textsOf(withinPixels(settings, 10, 10)), textsOf(settings)) << "off by default";
    settings.splatPixels = kSplatPixels;
    EXPECT_EQ(withinPixels(settings, kPixels * 5000, 0).maxSplats, 5000u);
    EXPECT_EQ(withinPixels(settings, kPixels * 5000 + 23, 0).maxSplats, 5000u);
    EXPECT_EQ(withinPixels(settings, kPixels * 600'000, 0).maxSplats, 600'000u);
    EXPECT_EQ(withinPixels(settings, UINT64_MAX, 0).maxSplats, 600'000u);
    EXPECT_EQ(withinPixels(settings, 1, 0).maxSplats, 1000u);
    const TrainSettings found = withinPixels(settings, kPixels * 5000, 0);
    EXPECT_EQ(textsOf(withinPixels(found, kPixels * 5000, 0)), textsOf(found)) << "twice";
    TrainSettings expected = settings;
    expected.maxSplats = 5000;
    EXPECT_EQ(textsOf(found), textsOf(expected)) << "and nothing else";
    settings.maxSplats = 0;
    EXPECT_EQ(withinPixels(settings, kPixels * 5000, 0).maxSplats, 5000u) << "without another limit";
    EXPECT_EQ(withinPixels(settings, UINT64_MAX, 0).maxSplats, kMostSplats);
}

TEST(Settings, PixelsLeaveRoomForWhatATrainingStartsFrom) {
    TrainSettings settings;
    settings.maxSplats = 600'000;
    settings.splatPixels = kSplatPixels;
    EXPECT_EQ(withinPixels(settings, kPixels * 5000, 2500).maxSplats, 5000u);
    EXPECT_EQ(withinPixels(settings, kPixels * 5000, 4000).maxSplats, 8000u) << "it starts from half of them";
    EXPECT_EQ(withinPixels(settings, kPixels * 5000, 1'000'000).maxSplats, 600'000u);
    settings.init = "random";
    EXPECT_EQ(withinPixels(settings, kPixels * 5000, 4000).maxSplats, 5000u);
    settings.init = "splats.ply";
    EXPECT_EQ(withinPixels(settings, kPixels * 5000, 4000).maxSplats, 600'000u);
}

TEST(Settings, AMaximumOfSplatsThatIsAskedForHoldsWhateverThePixels) {
    EXPECT_EQ(resolveSettings({.preset = "balanced"}).splatPixels, 24);
    EXPECT_EQ(resolveSettings({.preset = "balanced", .values = {{"max_splats", "700000"}}}).splatPixels, 0);
    EXPECT_EQ(resolveSettings({.preset = "balanced", .values = {{"max_splats", "700000"}, {"splat_pixels", "30"}}}).splatPixels, 30);
    EXPECT_EQ(resolveSettings({.preset = "balanced", .values = {{"splat_pixels", "30"}}}).splatPixels, 30);
    const TrainSettings before = resolveSettings({.preset = "balanced"});
    TrainSettings changed = before;
    changed.maxSplats = 700'000;
    completeChange(changed, before, false);
    EXPECT_EQ(changed.splatPixels, 0);
    changed = before;
    changed.lrSh0 = 0.1;
    completeChange(changed, before, false);
    EXPECT_EQ(changed.splatPixels, 24);
}

TEST(Settings, CorrectionsOfColoursThatAreAskedForReplaceTheTestOfColours) {
    const auto tests = [](const std::vector<SettingText>& values) {
        return resolveSettings({.preset = "balanced", .values = values}).of<ColourChangeSettings>().test;
    };
    EXPECT_TRUE(tests({}));
    EXPECT_TRUE(tests({{"grid_size", "8"}}));
    EXPECT_FALSE(defaultsOf("budget").of<ColourChangeSettings>().test);
    for (const char* name : {"exposure", "colour_grid"})
        for (const char* value : {"true", "false"}) {
            EXPECT_FALSE(tests({{name, value}})) << name << " " << value;
            EXPECT_TRUE(tests({{name, value}, {"colour_test", "true"}})) << name << " " << value;
        }
}

TEST(Settings, AChangeOfCorrectionsOfColoursEndsTheTestOfColours) {
    const TrainSettings before = resolveSettings({.preset = "balanced"});
    const auto testsAfter = [&](const std::function<void(TrainSettings&)>& change) {
        TrainSettings changed = before;
        change(changed);
        completeChange(changed, before, true);
        return changed.of<ColourChangeSettings>().test;
    };
    EXPECT_TRUE(testsAfter([](TrainSettings& s) { s.lrSh0 = 0.1; }));
    EXPECT_FALSE(testsAfter([](TrainSettings& s) { s.of<ColourGridSettings>().colourGrid = true; }));
    EXPECT_FALSE(testsAfter([](TrainSettings& s) { s.of<ExposureSettings>().exposure = true; }));
}

/// By members, as by names: both get everything else from the strategy.
TEST(Settings, AProgramThatSetsMembersGetsTheStrategysDefaults) {
    for (const char* strategy : {"default", "mcmc", "budget", "fixed"}) {
        TrainSettings members;
        members.strategy = strategy;
        members.steps = 25'000;
        members.deterministic = true;
        members.background = glm::vec3(0.1f, 0.2f, 0.3f);
        const SettingsRequest names{
            .values = {{"strategy", strategy}, {"steps", "25000"}, {"deterministic", "true"}, {"background", "0.1,0.2,0.3"}}};
        const TrainSettings found = withStrategyDefaults(members);
        EXPECT_EQ(textsOf(found), textsOf(resolveSettings(names))) << strategy;
        EXPECT_EQ(withinPasses(found, 1).steps, 25'000u) << strategy;
        EXPECT_EQ(found.antialiased, defaultsOf(strategy).antialiased) << strategy;
    }
}

/// Else what a user sets to its built-in value would be the strategy's again.
TEST(Settings, SettingsThatHaveTheStrategysDefaultsAreNotCompletedAgain) {
    TrainSettings settings = resolveSettings({.values = {{"strategy", "mcmc"}, {"noise_lr", "0"}}});
    ASSERT_NE(defaultsOf("mcmc").noiseLr, 0);
    EXPECT_EQ(withStrategyDefaults(settings).noiseLr, 0);
    settings = defaultsOf("mcmc");
    settings.noiseLr = 0;
    EXPECT_EQ(withStrategyDefaults(settings).noiseLr, 0);
}

TEST(Settings, APresetIsFoundByNameAndAnUnknownOneNamesThem) {
    EXPECT_EQ(resolveSettings({.preset = "fast"}).steps, 6400u);
    try {
        resolveSettings({.preset = "fats"});
        FAIL();
    } catch (const InputError& problem) {
        EXPECT_NE(std::string(problem.what()).find("preset: found 'fats', expected one of balanced, best, default"), std::string::npos)
            << problem.what();
    }
}

TEST(Settings, ByDefaultASceneIsTrainedAsByThePresetDefaultUnlessAStrategyIsNamed) {
    const std::vector<std::string> balanced = textsOf(resolveSettings({.preset = "balanced"}));
    EXPECT_EQ(textsOf(resolveSettings({})), balanced);
    EXPECT_EQ(textsOf(resolveSettings({.preset = "default"})), balanced);
    EXPECT_EQ(resolveSettings({.values = {{"lr_sh0", "0.1"}}}).maxSplats, 600'000u) << "a number says nothing of the recipe";
    const test::Scratch scratch;
    const std::string number = scratch.write("number.json", R"({"lr_sh0": 0.1})"),
                      run = scratch.write("run.json", R"({"strategy": "budget"})");
    EXPECT_EQ(resolveSettings({.config = number}).maxSplats, 600'000u);
    const std::vector<std::string> own = textsOf(defaultsOf("budget"));
    EXPECT_EQ(textsOf(resolveSettings({.values = {{"strategy", "budget"}}})), own);
    EXPECT_EQ(textsOf(resolveSettings({.config = run})), own);
    EXPECT_EQ(textsOf(resolveSettings({.preset = run})), own);
}

TEST(Quality, IsAPresetAtItsThreeNames) {
    for (const auto& [name, number] : std::vector<std::pair<std::string, std::string>>{{"fast", "0"}, {"balanced", "0.5"}, {"best", "1"}}) {
        const std::vector<std::string> expected = textsOf(resolveSettings({.preset = name}));
        EXPECT_EQ(textsOf(resolveSettings({.quality = name})), expected) << name;
        EXPECT_EQ(textsOf(resolveSettings({.quality = number})), expected) << number;
    }
}

/// densify_until may: `best` has the longer final phase.
TEST(Quality, StepsAndSplatsNeverFallAsItRises) {
    const auto countsOf = [](const TrainSettings& s) {
        return std::array{s.steps, s.minSteps, s.densifyFrom, s.fullSizeFrom, s.shDegreeInterval, s.maxSplats};
    };
    auto before = countsOf(resolveSettings({.quality = "0"}));
    for (int hundredth = 1; hundredth <= 100; ++hundredth) {
        const TrainSettings settings = resolveSettings({.quality = fmt::format("{}", hundredth / 100.0)});
        const auto counts = countsOf(settings);
        for (size_t i = 0; i < counts.size(); ++i) EXPECT_GE(counts[i], before[i]) << "count " << i << " at " << hundredth << " %";
        EXPECT_LT(settings.densifyUntil, settings.steps);
        EXPECT_LT(settings.fullSizeFrom, settings.densifyUntil);
        EXPECT_EQ(settings.strategy, "budget");
        before = counts;
    }
}

TEST(Quality, HalfWayBetweenTwoPresetsCountsAreTheirGeometricMean) {
    const TrainSettings between = resolveSettings({.quality = "0.25"});
    EXPECT_EQ(between.steps, 8000u) << "6,400 and 10,000";
    EXPECT_EQ(between.fullSizeFrom, 2846u) << "2,700 and 3,000";
    EXPECT_EQ(resolveSettings({.quality = "0.75"}).maxSplats, 848'528u) << "600,000 and 1,200,000";
    EXPECT_EQ(between.shDegreeInterval, 424u) << "300 and 600";
}

TEST(Quality, WhatIsGivenBesideItWinsAndAPresetIsRefused) {
    const TrainSettings settings = resolveSettings({.values = {{"max_splats", "1234"}}, .quality = "0.6"});
    EXPECT_EQ(settings.maxSplats, 1234u);
    EXPECT_EQ(withinPasses(settings, 1).steps, settings.minSteps) << "its steps are limited by passes, as a preset's";
    EXPECT_THROW(resolveSettings({.preset = "fast", .quality = "fast"}), InputError);
    for (const char* wrong : {"fats", "-0.1", "1.1", "nan", "0.5x", "mcmc"})
        EXPECT_THROW(resolveSettings({.quality = wrong}), InputError) << wrong;
}

TEST(Settings, ABudgetOfMebibytesLowersTheNumberOfSplatsToWhatAFileHolds) {
    const auto most = [](uint32_t mib, const std::string& degree, const std::string& maximum) {
        return resolveSettings({.values = {{"strategy", "default"}, {"sh_degree", degree}, {"max_splats", maximum}}, .budgetMib = mib})
            .maxSplats;
    };
    EXPECT_EQ(most(1, "3", "0"), (1024 * 1024 - 4096) / (59 * 4)) << "59 floats each";
    EXPECT_EQ(most(100, "0", "0"), (100 * 1024 * 1024 - 4096) / (14 * 4)) << "without SH, 14";
    EXPECT_EQ(most(1, "3", "1000"), 1000u) << "a smaller maximum stays";
    EXPECT_EQ(most(1, "3", "5000"), 4425u);
    EXPECT_EQ(most(0, "3", "5000"), 5000u) << "no budget";
    EXPECT_EQ(most(1'000'000, "0", "0"), kMostSplats) << "what max_splats allows at most";
}

/// Else what decays would be pruned, seen or not.
TEST(Settings, AnOpacityThatDecaysStaysAboveTheOneThatIsPruned) {
    TrainSettings settings = defaultsOf("budget");
    auto& budget = settings.of<BudgetSettings>();
    budget.decayEvery = 500;
    EXPECT_NO_THROW(checkTogether(settings));
    settings.pruneOpacity = budget.decayLeast;
    EXPECT_THROW(checkTogether(settings), InputError);
    budget.decayEvery = 0;
    EXPECT_NO_THROW(checkTogether(settings));
}

TEST(Settings, AnOpacityIsNotRevisedWhereTheSplitSetsIt) {
    TrainSettings settings = defaultsOf("default");
    settings.of<DefaultStrategySettings>().revisedOpacity = true;
    EXPECT_THROW(checkTogether(settings), InputError);
    settings.longAxisSplit = false;
    EXPECT_NO_THROW(checkTogether(settings));
}

TEST(Settings, AnOpacityThatIsResetStaysAboveTheOneThatIsPruned) {
    TrainSettings settings = defaultsOf("default");
    auto& own = settings.of<DefaultStrategySettings>();
    EXPECT_NO_THROW(checkTogether(settings)) << "no resets";
    own.resetEvery = 3000;
    EXPECT_THROW(checkTogether(settings), InputError);
    settings.pruneOpacity = own.resetOpacity;
    EXPECT_THROW(checkTogether(settings), InputError);
    settings.pruneOpacity = 0.005;
    EXPECT_NO_THROW(checkTogether(settings));
}

TEST(Settings, HelpTextsAreShortAndNameNoOwner) {
    TrainSettings settings;
    std::set<std::string_view> names;
    for (const SettingField& field : settingFields(settings)) {
        SCOPED_TRACE(field.name);
        const std::string_view help = field.about.help;
        EXPECT_TRUE(names.insert(field.name).second) << "twice";
        EXPECT_FALSE(field.about.group.empty());
        EXPECT_LE(std::ranges::count(help, ' '), 11);
        ASSERT_FALSE(help.empty());
        EXPECT_TRUE(std::isupper(help[0]) != 0 && !help.ends_with('.')) << help;
        for (const std::string_view owner : {std::string_view("default:"), std::string_view("mcmc:"), std::string_view("fixed:")})
            EXPECT_EQ(help.find(owner), std::string_view::npos) << help;
    }
    EXPECT_EQ(names.size(), 117u);
}

TEST(Settings, AStrategyOwnsItsSettingsUnderAHeadingOfItsOwn) {
    size_t owned = 0;
    for (const DensifierRow* row : densifierTable()) {
        TrainSettings all = defaultsOf(row->name);
        const std::string heading = fmt::format("strategy {}", row->name);
        std::vector<std::string> expected, found;
        if (row->settings) {
            SettingsPart part = row->settings();
            for (const SettingField& field : part.fields()) expected.push_back(fmt::format("{}={}", field.name, settingText(field)));
        }
        for (const SettingField& field : settingFields(all))
            if (field.about.group == heading) found.push_back(fmt::format("{}={}", field.name, settingText(field)));
        EXPECT_EQ(found, expected) << row->name;
        owned += found.size();
    }
    EXPECT_EQ(owned, 36u);
}

TEST(Settings, OfAnotherStrategyAreNotLost) {
    TrainSettings settings = defaultsOf("mcmc");
    settings.of<McmcSettings>().growFactor = 1.5;
    const TrainSettings copy = settings;
    settings.of<McmcSettings>().growFactor = 1.25;
    EXPECT_EQ(copy.of<McmcSettings>().growFactor, 1.5);
    EXPECT_EQ(changed(copy, "default").of<McmcSettings>().growFactor, 1.5);
    EXPECT_THROW(settings.of<LossSettings>(), Error);
}

}  // namespace
}  // namespace splat
