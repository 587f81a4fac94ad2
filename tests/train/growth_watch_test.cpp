// A training that is watched, with scores that are made up. The decision alone is in growth_end_test.cpp, and sessions are in early_end_test.cpp.
#include <splatwright/train/watch/growth_watch.h>

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/train/densify/densifier.h>
#include "scene/scratch.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"

namespace splat {
namespace {

constexpr uint32_t kSteps = 60;

/// Three of 36 views are withheld up to step 45: they are scored every third step.
struct WatchedGrowth : testing::Test {
    static TrainSettings settings() {
        TrainSettings settings = shortRun(kSteps);
        settings.strategy = "mcmc";
        settings.densifyFrom = 0;
        settings.densifyUntil = 45;
        settings.densifyInterval = 1;
        settings.withhold = 12;
        settings.deterministic = true;
        settings.accumulate = "fixed-point";
        return settings;
    }
    WatchedGrowth() { begin(watch, nullptr); }

    void begin(GrowthWatch& started, const Checkpoint* resumed) {
        started.begin(
            trainer, photographs.size(), [&](size_t view) { return photographs[view]; }, resumed);
    }
    void trainTo(uint32_t step) {
        trainer.run(step, [](const StepReport&) { return true; });
    }
    /// Trains to the next scores of a watch and adds these; returns whether growth is to end. One view has the PSNR, one less, and one
    /// fluctuates so much that the means say something else.
    bool add(GrowthWatch& to, const std::vector<double>& scores) {
        bool ends = false;
        for (const double psnr : scores) {
            trainTo(*to.nextScore(trainer.stepsDone()));
            const double wave = trainer.stepsDone() % 2 == 0 ? 5 : -5;
            ends = to.add(trainer, withheldScore(trainer.stepsDone(), trainer.gaussians(), {psnr, psnr - 2, psnr + wave}));
        }
        return ends;
    }
    static void expectSame(const Checkpoint& found, const Checkpoint& expected) {
        EXPECT_EQ(found.header, expected.header);
        ASSERT_EQ(found.sections.size(), expected.sections.size());
        for (size_t i = 0; i < found.sections.size(); ++i) {
            EXPECT_EQ(found.sections[i].name, expected.sections[i].name);
            EXPECT_EQ(found.sections[i].bytes, expected.sections[i].bytes) << found.sections[i].name;
        }
    }
    /// What a run saves here.
    Checkpoint saved(const GrowthWatch& of) {
        Checkpoint checkpoint = trainer.checkpoint();
        of.saveIn(checkpoint);
        return checkpoint;
    }

    const reference::Scene scene = reference::makeMixedScene(60, 48, 48, 6);
    const std::vector<Photograph> photographs = photographsOf(scene, 36);
    Trainer trainer{testDevice(), testSort(), settings(), blurred(scene.gaussians), photographs, 1.1};
    GrowthWatch watch{testDevice()};
};

TEST_F(WatchedGrowth, ScoresTheViewsThatAreWithheld) {
    ASSERT_EQ(watch.views().size(), 3u);
    EXPECT_EQ(watch.views()[0].name, "6");
    EXPECT_EQ(watch.views()[1].name, "18");
    EXPECT_EQ(watch.views()[2].name, "30");
    EXPECT_EQ(watch.nextScore(0), 2u);
    EXPECT_EQ(watch.nextScore(40), 41u);
    EXPECT_FALSE(watch.nextScore(41));
}

TEST_F(WatchedGrowth, NeverTrainsThemBefore) {
    std::vector<size_t> early, late;
    trainer.run(kSteps, [&](const StepReport& report) {
        (report.step <= 45 ? early : late).push_back(report.view);
        return true;
    });
    for (const size_t view : {6u, 18u, 30u}) EXPECT_EQ(std::ranges::count(early, view), 0) << view;
    EXPECT_EQ(early.size(), 45u);
    EXPECT_EQ(late.size(), 15u);
}

TEST_F(WatchedGrowth, BringsBackTheBestStateBitForBit) {
    add(watch, {20, 21});
    const Checkpoint best = trainer.checkpoint();
    EXPECT_FALSE(add(watch, {19, 19, 19}));
    ASSERT_TRUE(add(watch, {19}));
    EXPECT_EQ(trainer.stepsDone(), 17u);
    watch.end(trainer);
    EXPECT_EQ(trainer.stepsDone(), 5u);
    expectSame(trainer.checkpoint(), best);
    EXPECT_EQ(watch.endedAt(), 5u);
    EXPECT_EQ(watch.best().views, (std::vector<double>{21, 19, 16}));
    EXPECT_EQ(watch.report().scores.size(), 6u);
    EXPECT_FALSE(watch.nextScore(5)) << "there is one end";
    EXPECT_FALSE(saved(watch).header.contains("best")) << "which is not needed any more";
}

TEST_F(WatchedGrowth, MayEndAtTheScoreThatIsTheBest) {
    ASSERT_TRUE(add(watch, {20, 20, 20, 20, 20, 20.5}));
    const Checkpoint best = trainer.checkpoint();
    watch.end(trainer);
    EXPECT_EQ(watch.endedAt(), 17u);
    EXPECT_EQ(watch.best().step, 17u);
    expectSame(trainer.checkpoint(), best);
}

TEST_F(WatchedGrowth, WaitsForFullSizeAsSettingsSay) {
    TrainSettings smallFirst = settings();
    smallFirst.startDownscale = 2;
    smallFirst.fullSizeFrom = 24;
    const Trainer other(testDevice(), testSort(), smallFirst, blurred(scene.gaussians), photographs, 1.1);
    watch.begin(
        other, photographs.size(), [&](size_t view) { return photographs[view]; }, nullptr);
    EXPECT_FALSE(add(watch, {21, 19, 19, 19, 19, 19, 19, 19}));
    EXPECT_TRUE(add(watch, {19}));
    EXPECT_EQ(trainer.stepsDone(), 26u);
}

/// Before the best state, at it, and after it.
TEST_F(WatchedGrowth, DecidesAlikeWhenResumedAfterAnyScore) {
    const std::vector<double> scores{20, 21, 21.05, 19, 20.5, 20};
    const Checkpoint start = trainer.checkpoint();
    trainTo(5);
    const Checkpoint best = trainer.checkpoint();
    for (size_t stopped = 1; stopped < scores.size(); ++stopped) {
        SCOPED_TRACE(stopped);
        begin(watch, nullptr);
        trainer.restore(start);
        add(watch, {scores.begin(), scores.begin() + static_cast<ptrdiff_t>(stopped)});
        const test::Scratch scratch;
        const auto file = scratch.path() / "a.splat-ckpt";
        writeCheckpoint(file, saved(watch));
        const Checkpoint read = readCheckpoint(file);
        GrowthWatch resumed(testDevice());
        begin(resumed, &read);
        EXPECT_EQ(resumed.report(), watch.report());
        expectSame(saved(resumed), saved(watch));
        ASSERT_TRUE(add(resumed, {scores.begin() + static_cast<ptrdiff_t>(stopped), scores.end()}));
        resumed.end(trainer);
        EXPECT_EQ(resumed.endedAt(), 5u);
        expectSame(trainer.checkpoint(), best);
    }
}

/// By their means the first of these scores is the best, by their views the second.
TEST_F(WatchedGrowth, ACheckpointOfABuildWithoutViewsGoesOnByItsMeans) {
    add(watch, {20, 21, 19});
    Checkpoint checkpoint = saved(watch);
    for (auto& score : checkpoint.header["growth"]["scores"]) score.erase("views");
    GrowthWatch resumed(testDevice());
    begin(resumed, &checkpoint);
    EXPECT_EQ(resumed.report().scores.size(), 3u);
    EXPECT_EQ(resumed.best().step, 2u);
    expectSame(saved(resumed), checkpoint);
    EXPECT_TRUE(resumed.best().views.empty());
    EXPECT_FALSE(add(resumed, {20, 19}));
    EXPECT_TRUE(add(resumed, {19}));
    EXPECT_EQ(resumed.best().step, 2u);
    begin(resumed, &checkpoint);
    trainer.restore(checkpoint);
    EXPECT_FALSE(add(resumed, {40, 15, 41, 41, 41})) << "with views again";
    EXPECT_EQ(resumed.best().step, 17u);
}

TEST_F(WatchedGrowth, AnEndIsKeptWhenResumed) {
    add(watch, {21, 19, 19, 19, 19, 19});
    watch.end(trainer);
    const Checkpoint checkpoint = saved(watch);
    GrowthWatch resumed(testDevice());
    begin(resumed, &checkpoint);
    EXPECT_EQ(resumed.endedAt(), 2u);
    EXPECT_FALSE(resumed.nextScore(2));
    expectSame(saved(resumed), checkpoint);
}

TEST_F(WatchedGrowth, ADamagedCheckpointIsRefused) {
    add(watch, {20});
    const Checkpoint checkpoint = saved(watch);
    GrowthWatch other(testDevice());
    for (const char* part : {"withheld_views", "ended_at", "scores", "open"}) {
        Checkpoint damaged = checkpoint;
        damaged.path = "a.splat-ckpt";
        damaged.header["growth"].erase(part);
        test::expectInputError([&] { begin(other, &damaged); }, {"a.splat-ckpt: growth is", "expected withheld_views, ended_at"});
    }
    for (const char* views : {"7", "null", "{}", "[1,2,null]", "[1,2,\"3\"]", "[[1],[2],[3]]", "[1,2,true]"}) {
        Checkpoint damaged = checkpoint;
        damaged.path = "a.splat-ckpt";
        damaged.header["growth"]["scores"][0]["views"] = nlohmann::ordered_json::parse(views);
        test::expectInputError([&] { begin(other, &damaged); }, {"a.splat-ckpt: growth is", "expected withheld_views, ended_at"});
    }
    const Checkpoint earlier = trainer.checkpoint();
    begin(other, &earlier);
    EXPECT_TRUE(other.report().scores.empty()) << "of a build that has no scores";
    EXPECT_EQ(other.nextScore(2), 5u);
}

TEST_F(WatchedGrowth, ScoresOfAnotherNumberOfViewsAreRefused) {
    add(watch, {20, 21, 19});
    const Checkpoint checkpoint = saved(watch);
    GrowthWatch other(testDevice());
    for (size_t score = 0; score < 3; ++score) {
        for (const size_t views : {0u, 1u, 2u, 4u}) {
            Checkpoint damaged = checkpoint;
            damaged.path = "a.splat-ckpt";
            auto& found = damaged.header["growth"]["scores"][score];
            found["views"] = std::vector<double>(views, 20);
            const std::string step = std::to_string(3 * score + 2);
            test::expectInputError([&] { begin(other, &damaged); }, {"a.splat-ckpt: growth has " + std::to_string(views) +
                                                                     " views in the score of step " + step + ", expected 3"});
        }
    }
    Checkpoint all = checkpoint;
    for (auto& score : all.header["growth"]["scores"]) score["views"] = {20, 21};
    test::expectInputError([&] { begin(other, &all); }, {"growth has 2 views in the score of step 2, expected 3"});
}

/// No step follows growth any more, so none is withheld, and a checkpoint says so.
TEST_F(WatchedGrowth, ScoresOfAnEndStayWhenNoViewIsWithheldAnyMore) {
    add(watch, {21, 19, 19, 19, 19, 19});
    watch.end(trainer);
    const GrowthReport expected = watch.report();
    TrainSettings changed = settings();
    changed.steps = changed.densifyUntil;
    trainer.change(changed);
    Checkpoint checkpoint = saved(watch);
    for (int times = 0; times < 2; ++times) {
        GrowthWatch resumed(testDevice());
        begin(resumed, &checkpoint);
        EXPECT_EQ(resumed.report(), (GrowthReport{0, 2, expected.scores}));
        checkpoint = saved(resumed);
    }
    checkpoint.header["growth"]["scores"][2]["views"] = {20, 21};
    test::expectInputError([&] { begin(watch, &checkpoint); }, {"growth has 2 views in the score of step 8, expected 3"});
    trainer.change(settings());
    checkpoint.header["growth"]["scores"][2]["views"] = expected.scores[2].views;
    begin(watch, &checkpoint);
    EXPECT_EQ(watch.report(), expected);
}

TEST_F(WatchedGrowth, ForgetsTheBestStateAfterTheLastScore) {
    for (int score = 0; score < 13; ++score) add(watch, {20.0 + score});
    EXPECT_TRUE(saved(watch).header.contains("best"));
    add(watch, {40});
    EXPECT_FALSE(saved(watch).header.contains("best"));
    EXPECT_FALSE(watch.endedAt());
    EXPECT_EQ(watch.report().scores.size(), 14u);
}

/// Its best state may have more Gaussians than the new settings allow.
TEST_F(WatchedGrowth, ForgetsScoresOfOtherSettingsAndOfAbandonedSteps) {
    add(watch, {20, 19, 19});
    watch.forgetScores();
    EXPECT_TRUE(watch.report().scores.empty());
    EXPECT_FALSE(saved(watch).header.contains("best"));
    EXPECT_FALSE(add(watch, {20, 19, 19}));
    TrainSettings changed = settings();
    changed.densifyUntil = 30;
    trainer.change(changed);
    watch.change(trainer);
    EXPECT_TRUE(watch.report().scores.empty());
    EXPECT_FALSE(saved(watch).header.contains("best"));
    EXPECT_EQ(watch.nextScore(17), 19u);
}

TEST_F(WatchedGrowth, ViewsThatWereTrainedTellNothingAnyMore) {
    trainTo(30);
    TrainSettings changed = settings();
    changed.densifyUntil = 20;
    trainer.change(changed);
    watch.change(trainer);
    trainTo(35);
    trainer.change(settings());
    watch.change(trainer);
    EXPECT_FALSE(watch.nextScore(35)) << "steps 31 to 35 have trained them";
}

TEST_F(WatchedGrowth, ViewsThatAreNoLongerWithheldAreNotScored) {
    TrainSettings changed = settings();
    changed.steps = changed.densifyUntil;
    trainer.change(changed);
    watch.change(trainer);
    EXPECT_FALSE(watch.nextScore(0));
    trainer.change(settings());
    watch.change(trainer);
    EXPECT_FALSE(watch.nextScore(0)) << "they may have been trained meanwhile";
}

}  // namespace
}  // namespace splat
