// When growth ends, from scores that are made up. Trainings whose growth ends early are in early_end_test.cpp.
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

/// Adds scores until growth is to end; returns their number, or 0 if it goes on.
size_t endOf(GrowthEnd& end, const std::vector<double>& curve) {
    for (size_t i = 0; i < curve.size(); ++i) {
        end.add({static_cast<uint32_t>(i + 1), 100, curve[i]});
        if (end.reached()) return i + 1;
    }
    return 0;
}

constexpr double kGain = 0.1;

/// Scores of growth that gains the same each time.
std::vector<double> rising(double gain) {
    std::vector<double> curve(15);
    for (size_t i = 0; i < curve.size(); ++i) curve[i] = 20 + gain * static_cast<double>(i);
    return curve;
}

TEST(GrowthEnd, DoesNotComeWhileThreeScoresTogetherGainEnough) {
    for (const double gain : {1.0, 0.101, 0.034}) {
        GrowthEnd end(kGain);
        EXPECT_EQ(endOf(end, rising(gain)), 0u) << gain;
    }
    GrowthEnd any(0);
    EXPECT_EQ(endOf(any, rising(1e-6)), 0u) << "whatever they gain";
    EXPECT_EQ(any.best()->step, 15u);
}

TEST(GrowthEnd, ComesWhereThreeScoresTogetherGainTooLittle) {
    for (const double gain : {0.033, 0.01, 0.0, -1.0}) {
        GrowthEnd end(kGain);
        EXPECT_EQ(endOf(end, rising(gain)), 4u) << gain;
        EXPECT_EQ(end.best()->step, 1u);
    }
}

TEST(GrowthEnd, ComesThreeScoresAfterTheLastThatGained) {
    for (size_t best = 0; best < 12; ++best) {
        for (const double loss : {-0.099, 0.0, 0.11, 5.0}) {
            std::vector<double> curve(15);
            for (size_t i = 0; i < curve.size(); ++i)
                curve[i] = i <= best ? 20 + static_cast<double>(i) : 20 + static_cast<double>(best) - loss;
            GrowthEnd end(kGain);
            EXPECT_EQ(endOf(end, curve), best + 4) << best << ", by " << loss << " dB";
            EXPECT_EQ(*end.best(), (WithheldScore{static_cast<uint32_t>(best + 1), 100, curve[best]}));
            EXPECT_EQ(end.scores().size(), best + 4);
        }
    }
}

/// Two scores in the dark, then a better one, again and again.
TEST(GrowthEnd, CountsFromEachNewBestAnew) {
    std::vector<double> curve;
    for (int i = 0; i < 5; ++i) curve.insert(curve.end(), {20.0 + i, 15.0, 15.0});
    GrowthEnd end(kGain);
    EXPECT_EQ(endOf(end, curve), 0u);
    EXPECT_EQ(end.best()->psnr, 24);
    EXPECT_EQ(endOf(end, {15.0}), 1u) << "the third";
}

TEST(NextScore, ComesFifteenTimesBehindTheStartOfGrowthAndUpToItsEnd) {
    TrainSettings settings;
    for (const uint32_t until : {1u, 14u, 15u, 16u, 450u, 7500u, 7501u, 15'000u}) {
        for (const uint32_t from : {0u, until / 10, until / 2, until}) {
            SCOPED_TRACE(testing::Message() << from << " to " << until);
            settings.densifyFrom = from;
            settings.densifyUntil = until;
            const uint32_t interval = std::max(1u, until / 15);
            std::vector<uint32_t> found, expected;
            for (auto next = nextScore(0, settings); next; next = nextScore(*next, settings)) found.push_back(*next);
            for (uint32_t step = interval; step <= until; step += interval)
                if (step > from) expected.push_back(step);
            EXPECT_EQ(found, expected);
            EXPECT_TRUE(until % 15 != 0 || from > 0 || found.size() == 15) << found.size();
            for (const uint32_t step : expected) EXPECT_EQ(nextScore(step - 1, settings), step) << "wherever a run was stopped";
        }
    }
    settings.densifyFrom = settings.densifyUntil = 0;
    EXPECT_FALSE(nextScore(0, settings));
}

TEST(GrowthReport, IsReadAsItWasWritten) {
    for (const GrowthReport& report :
         {GrowthReport{}, GrowthReport{4, {}, {{100, 200, 20.25}}}, GrowthReport{4, 300, {{100, 200, 20.25}, {300, 400, 100}}}}) {
        const nlohmann::ordered_json run{{"growth", nlohmann::ordered_json::parse(toJson(report).dump())}};
        EXPECT_EQ(growthReportOf(run["growth"]), report);
        EXPECT_EQ(growthEndIn(run), report.endedAt);
    }
    for (const char* run : {"{}", "{\"growth\":7}", "{\"growth\":{\"ended_at\":7}}", "[]"})
        EXPECT_FALSE(growthEndIn(nlohmann::ordered_json::parse(run))) << run;
}

constexpr uint32_t kSteps = 60;

/// Two of 24 views are withheld up to step 45: they are scored every third step.
struct WatchedGrowth : testing::Test {
    static TrainSettings settings() {
        TrainSettings settings = shortRun(kSteps);
        settings.strategy = "mcmc";
        settings.densifyFrom = 0;
        settings.densifyUntil = 45;
        settings.densifyInterval = 5;
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
    /// Trains to the next scores of a watch and adds these; returns whether growth is to end.
    bool add(GrowthWatch& to, const std::vector<double>& scores) {
        bool ends = false;
        for (const double psnr : scores) {
            trainTo(*to.nextScore(trainer.stepsDone()));
            ends = to.add(trainer, {trainer.stepsDone(), trainer.gaussians(), psnr});
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
    const std::vector<Photograph> photographs = photographsOf(scene, 24);
    Trainer trainer{testDevice(), testSort(), settings(), blurred(scene.gaussians), photographs, 1.1};
    GrowthWatch watch{testDevice()};
};

TEST_F(WatchedGrowth, ScoresTheViewsThatAreWithheld) {
    ASSERT_EQ(watch.views().size(), 2u);
    EXPECT_EQ(watch.views()[0].name, "6");
    EXPECT_EQ(watch.views()[1].name, "18");
    EXPECT_EQ(watch.nextScore(0), 3u);
    EXPECT_EQ(watch.nextScore(44), 45u);
    EXPECT_FALSE(watch.nextScore(45));
}

TEST_F(WatchedGrowth, NeverTrainsThemBefore) {
    std::vector<size_t> early, late;
    trainer.run(kSteps, [&](const StepReport& report) {
        (report.step <= 45 ? early : late).push_back(report.view);
        return true;
    });
    for (const size_t view : {6u, 18u}) EXPECT_EQ(std::ranges::count(early, view), 0) << view;
    EXPECT_EQ(early.size(), 45u);
    EXPECT_EQ(late.size(), 15u);
}

TEST_F(WatchedGrowth, BringsBackTheBestStateBitForBit) {
    add(watch, {20, 21});
    const Checkpoint best = trainer.checkpoint();
    EXPECT_FALSE(add(watch, {19, 19}));
    ASSERT_TRUE(add(watch, {19}));
    EXPECT_EQ(trainer.stepsDone(), 15u);
    watch.end(trainer);
    EXPECT_EQ(trainer.stepsDone(), 6u);
    expectSame(trainer.checkpoint(), best);
    EXPECT_EQ(watch.endedAt(), 6u);
    EXPECT_EQ(watch.best().psnr, 21);
    EXPECT_EQ(watch.report().scores.size(), 5u);
    EXPECT_FALSE(watch.nextScore(6)) << "there is one end";
    EXPECT_FALSE(saved(watch).header.contains("best")) << "which is not needed any more";
}

/// Before the best state, at it, and after it.
TEST_F(WatchedGrowth, DecidesAlikeWhenResumedAfterAnyScore) {
    const std::vector<double> scores{20, 21, 21.05, 19, 20.5};
    const Checkpoint start = trainer.checkpoint();
    trainTo(6);
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
        EXPECT_EQ(resumed.endedAt(), 6u);
        expectSame(trainer.checkpoint(), best);
    }
}

TEST_F(WatchedGrowth, AnEndIsKeptWhenResumed) {
    add(watch, {21, 19, 19, 19});
    watch.end(trainer);
    const Checkpoint checkpoint = saved(watch);
    GrowthWatch resumed(testDevice());
    begin(resumed, &checkpoint);
    EXPECT_EQ(resumed.endedAt(), 3u);
    EXPECT_FALSE(resumed.nextScore(3));
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
    const Checkpoint earlier = trainer.checkpoint();
    begin(other, &earlier);
    EXPECT_TRUE(other.report().scores.empty()) << "of a build that has no scores";
    EXPECT_EQ(other.nextScore(3), 6u);
}

TEST_F(WatchedGrowth, ForgetsTheBestStateAfterTheLastScore) {
    for (int score = 0; score < 14; ++score) add(watch, {20.0 + score});
    EXPECT_TRUE(saved(watch).header.contains("best"));
    add(watch, {40});
    EXPECT_FALSE(saved(watch).header.contains("best"));
    EXPECT_FALSE(watch.endedAt());
    EXPECT_EQ(watch.report().scores.size(), 15u);
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
    EXPECT_EQ(watch.nextScore(18), 20u);
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
