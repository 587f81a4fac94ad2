#include "train/settings.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/settings.h"
#include "render/backward.h"
#include "train/densify/densifier.h"

namespace splat {
namespace {

std::vector<std::string> textsOf(TrainSettings settings) {
    std::vector<std::string> texts;
    for (const SettingField& field : settingFields(settings)) texts.push_back(std::string(field.name) + "=" + settingText(field));
    return texts;
}

/// A person changes the strategy.
TrainSettings changed(const TrainSettings& before, std::string_view strategy, bool begun = false) {
    TrainSettings settings = before;
    settings.strategy = strategy;
    completeChange(settings, before, begun);
    return settings;
}

TEST(Settings, AStrategyBringsItsDefaultsAndTakesThemAway) {
    for (const DensifierRow& from : densifierTable()) {
        for (const DensifierRow& to : densifierTable())
            EXPECT_EQ(textsOf(changed(defaultsOf(from.name), to.name)), textsOf(defaultsOf(to.name))) << from.name << " to " << to.name;
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

}  // namespace
}  // namespace splat
