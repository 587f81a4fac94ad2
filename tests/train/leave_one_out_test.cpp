#include <splatwright/train/suite/leave_one_out.h>

#include <cmath>

#include <gtest/gtest.h>

namespace splat {
namespace {

constexpr size_t kBase = 0, kPsnr = 0, kWorstTenth = 3;

Figures figures(double psnr, double worstTenth) {
    Figures all{};
    all[kPsnr] = psnr;
    all[kWorstTenth] = worstTenth;
    return all;
}

/// Two seeds of three scenes, in which the presets `narrow` and `wide` gain this much in both figures, more with the second seed.
SuiteResults results() {
    const double narrow[] = {3, -0.5, -0.5}, wide[] = {0.2, 0.1, 0.1};
    SuiteResults all({"x", "y", "z"}, {"base", "narrow", "wide"}, {1, 2});
    for (size_t scene = 0; scene < 3; ++scene) {
        for (size_t seed = 0; seed < 2; ++seed) {
            const double usual = 20 + 5 * static_cast<double>(scene), more = seed == 0 ? 0 : 0.02;
            all.run(scene, 0, seed) = figures(usual, usual - 8);
            all.run(scene, 1, seed) = figures(usual + narrow[scene] + more, usual - 8 + narrow[scene]);
            all.run(scene, 2, seed) = figures(usual + wide[scene] + more, usual - 8 + wide[scene]);
        }
    }
    return all;
}

TEST(LeaveOneOut, EachScenesPresetIsTheBestOnTheOthers) {
    const SuiteResults all = results();
    EXPECT_EQ(chosenOnOthers(all, kBase), (std::vector<size_t>{2, 1, 1})) << "what gains on x alone is no choice for x";
    EXPECT_NEAR(gainOnOthers(all, 0, 1, kBase), -0.495, 1e-9);
    EXPECT_NEAR(gainOnOthers(all, 1, 1, kBase), 1.255, 1e-9);
    EXPECT_EQ(gainOnOthers(all, 0, kBase, kBase), 0);
}

TEST(LeaveOneOut, ItsGainOverScenesIsThatOfTheChosenPresets) {
    const SuiteResults all = results();
    const auto chosen = chosenOnOthers(all, kBase);
    const MeanInterval psnr = all.differenceOverScenes(kPsnr, chosen, kBase);
    EXPECT_EQ(psnr.count, 2u);
    EXPECT_NEAR(psnr.mean, (0.2 - 0.5 - 0.5) / 3 + 0.01, 1e-9) << "best on all scenes but one, and worse on that one";
    EXPECT_NEAR(psnr.halfWidth, 12.7062 * 0.01, 1e-5) << "of two pairs that differ by 0.02";
    EXPECT_NEAR(all.differenceOverScenes(kWorstTenth, chosen, kBase).mean, -0.8 / 3, 1e-9);
}

TEST(LeaveOneOut, WhatLosesInTheWorstTenthMoreThanItGainsInTheMeanIsNotChosen) {
    SuiteResults all({"x", "y"}, {"base", "other"}, {1});
    for (size_t scene = 0; scene < 2; ++scene) {
        all.run(scene, 0, 0) = figures(20, 15);
        all.run(scene, 1, 0) = figures(20.3, 14);
    }
    EXPECT_EQ(chosenOnOthers(all, kBase), (std::vector<size_t>{kBase, kBase}));
    all.run(0, 1, 0) = figures(20.3, 14.8);
    EXPECT_EQ(chosenOnOthers(all, kBase), (std::vector<size_t>{kBase, 1}));
}

TEST(LeaveOneOut, APresetWithoutRunsOfAnotherSceneIsNotChosen) {
    SuiteResults all = results();
    for (size_t seed = 0; seed < 2; ++seed) all.run(0, 1, seed).reset();
    EXPECT_EQ(chosenOnOthers(all, kBase), (std::vector<size_t>{2, 2, 2}));
    EXPECT_TRUE(std::isnan(gainOnOthers(all, 1, 1, kBase)));
    for (size_t scene = 0; scene < 3; ++scene) all.run(scene, 2, 0).reset();
    EXPECT_EQ(chosenOnOthers(all, kBase), (std::vector<size_t>{2, 2, 2})) << "one pair is enough";
}

}  // namespace
}  // namespace splat
