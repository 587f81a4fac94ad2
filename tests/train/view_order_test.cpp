#include <splatwright/train/step/view_order.h>

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/parts/pose_settings.h>
#include <splatwright/train/step/withheld_views.h>

namespace splat {
namespace {

TEST(ViewOrder, EveryEpochVisitsEveryViewOnce) {
    ViewOrder order(7, 1);
    for (uint32_t epoch = 0; epoch < 5; ++epoch) {
        std::set<size_t> seen;
        for (uint32_t i = 0; i < 7; ++i) seen.insert(order[7 * epoch + i]);
        EXPECT_EQ(seen.size(), 7u) << "epoch " << epoch;
    }
}

TEST(ViewOrder, EveryEpochIsAShuffleOfItsOwn) {
    constexpr uint32_t kViews = 50;
    ViewOrder order(kViews, 1);
    std::set<std::vector<size_t>> epochs;
    std::vector<size_t> sums(kViews);
    constexpr uint32_t kEpochs = 400;
    for (uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
        std::vector<size_t> views;
        for (uint32_t i = 0; i < kViews; ++i) views.push_back(order[kViews * epoch + i]);
        for (size_t i = 0; i < kViews; ++i) sums[i] += views[i];
        epochs.insert(views);
    }
    EXPECT_EQ(epochs.size(), kEpochs);
    for (const size_t sum : sums) EXPECT_NEAR(static_cast<double>(sum) / kEpochs, 24.5, 5 * 14.43 / 20);  // five standard errors
}

TEST(ViewOrder, AStepMeansTheSameViewWheneverItIsAsked) {
    ViewOrder forwards(11, 3);
    std::vector<size_t> views;
    for (uint32_t step = 0; step < 40; ++step) views.push_back(forwards[step]);
    ViewOrder backwards(11, 3);
    for (uint32_t step = 40; step-- > 0;) EXPECT_EQ(backwards[step], views[step]);
}

TEST(ViewOrder, AnotherSeedGivesAnotherOrder) {
    ViewOrder a(50, 1), b(50, 2);
    size_t same = 0;
    for (uint32_t step = 0; step < 50; ++step) same += a[step] == b[step];
    EXPECT_LT(same, 20u);
}

/// Numbers of views around whole groups, and steps up to which views are withheld, within and at the end of an epoch.
TEST(ViewOrder, WithheldViewsComeInEveryEpochAfterTheirStepAndInNoneBefore) {
    for (const size_t views : {24u, 25u, 47u, 48u, 100u}) {
        const std::vector<size_t> withheld{1, 7, views - 1};
        const size_t early = views - withheld.size();
        for (const uint32_t until : {1u, 13u, static_cast<uint32_t>(3 * early), static_cast<uint32_t>(3 * early + 5)}) {
            SCOPED_TRACE(testing::Message() << views << " views, until step " << until);
            ViewOrder order(views, 9, withheld, until);
            std::vector<uint32_t> before(views), after(views);
            for (uint32_t step = 0; step < until; ++step) ++before[order[step]];
            for (uint32_t step = until; step < until + 4 * views; ++step) ++after[order[step]];
            const auto epochs = static_cast<uint32_t>(until / early);
            for (size_t view = 0; view < views; ++view) {
                EXPECT_EQ(after[view], 4u) << view;
                const bool isWithheld = std::ranges::count(withheld, view) > 0;
                EXPECT_GE(before[view], isWithheld ? 0 : epochs) << view;
                EXPECT_LE(before[view], isWithheld ? 0 : epochs + 1) << view;
            }
        }
    }
}

TEST(ViewOrder, AStepMeansTheSameViewOnBothSidesOfTheEndOfWithholding) {
    ViewOrder forwards(30, 3, {4, 20}, 70), backwards(30, 3, {4, 20}, 70);
    std::vector<size_t> views;
    for (uint32_t step = 0; step < 150; ++step) views.push_back(forwards[step]);
    for (uint32_t step = 150; step-- > 0;) EXPECT_EQ(backwards[step], views[step]) << step;
}

/// Of trainings that are not changed by it.
TEST(ViewOrder, WithoutWithheldViewsTheStepUpToWhichTheyAreWithheldIsOfNoImport) {
    ViewOrder plain(30, 3), until(30, 3, {}, 70);
    for (uint32_t step = 0; step < 150; ++step) EXPECT_EQ(plain[step], until[step]) << step;
}

TrainSettings withholding(uint32_t oneOf) {
    TrainSettings settings = defaultsOf("mcmc");
    settings.withhold = oneOf;
    return settings;
}

TEST(WithheldViews, AreAtMostOneInSoManySpreadEvenly) {
    for (const uint32_t oneOf : {12u, 13u, 20u, 50u}) {
        for (size_t views = 24; views <= 200; ++views) {
            SCOPED_TRACE(testing::Message() << "one of " << oneOf << " of " << views);
            const std::vector<size_t> withheld = withheldViews(withholding(oneOf), views);
            ASSERT_EQ(withheld.size(), views / oneOf);
            if (withheld.empty()) continue;
            const double apart = static_cast<double>(views) / static_cast<double>(withheld.size());
            for (size_t i = 0; i < withheld.size(); ++i)
                EXPECT_NEAR(static_cast<double>(withheld[i]), (static_cast<double>(i) + 0.5) * apart, 1);
        }
    }
}

TEST(WithheldViews, AreNoneWhereTheyTellNothingAndAReasonSaysSo) {
    const auto expectNone = [](const TrainSettings& settings, size_t views, const std::string& reason) {
        EXPECT_TRUE(withheldViews(settings, views).empty()) << reason;
        EXPECT_NE(whyNoneWithheld(settings, views).find(reason), std::string::npos) << whyNoneWithheld(settings, views);
    };
    EXPECT_EQ(whyNoneWithheld(withholding(12), 24), "");
    EXPECT_EQ(whyNoneWithheld(withholding(0), 3), "") << "it does not ask";
    EXPECT_TRUE(withheldViews(withholding(0), 100).empty());
    expectNone(withholding(12), 23, "23 training views, expected at least 24");
    expectNone(withholding(40), 39, "39 training views, expected at least 40");
    TrainSettings settings = withholding(12);
    settings.densifyUntil = settings.steps;
    expectNone(settings, 100, "no step after densify_until=30000");
    settings = withholding(12);
    settings.strategy = "fixed";
    expectNone(settings, 100, "'fixed' does not grow");
    settings = withholding(12);
    settings.of<PoseSettings>().refinePoses = true;
    expectNone(settings, 100, "refine_poses");
}

TEST(WithheldViews, MoreThanOneInTwelveAreRefused) {
    for (const uint32_t oneOf : {0u, 12u, 13u, 1000u}) EXPECT_NO_THROW(checkTogether(withholding(oneOf))) << oneOf;
    for (const uint32_t oneOf : {1u, 2u, 11u}) EXPECT_THROW(checkTogether(withholding(oneOf)), InputError) << oneOf;
}

}  // namespace
}  // namespace splat
