// What `train --view` leaves, however it ends.
#include "train_view.h"
#include <splatwright/scene/formats/ply.h>

namespace splat {
namespace {

using namespace test;

TEST_F(TrainView, LeavesTheFilesOfARunAndTheWindowOpen) {
    const Outcome run = trainInView({"--steps", "60", "--eval-at", "20", "--set", "log_every=10"},
                                    [&] { return fs::exists(out / "checkpoint.splat-ckpt"); });
    expectSuccess(run);
    expectParts(run.out, {"steps   60", "splats  60", "PSNR", "strip.png"});
    EXPECT_EQ(readPly(out / "splats.ply").count(), 60u);
    EXPECT_EQ(stepInCheckpoint(), 60u);
    EXPECT_TRUE(fs::exists(out / "strip.png"));
    const json metrics = metricsOf(out);
    EXPECT_EQ(metrics.at("steps"), 60);
    EXPECT_NEAR(metrics.at("psnr").get<double>(), psnrOf(out / "splats.ply"), 0.05);
    const auto log = logOf(out);
    ASSERT_EQ(log.size(), 6u);
    for (size_t i = 0; i < log.size(); ++i) {
        EXPECT_EQ(log[i].at("step"), 10 * (i + 1));
        EXPECT_EQ(log[i].contains("psnr"), i == 1 || i == 5);
    }
}

TEST_F(TrainView, ThatIsInterruptedGoesOnFromThere) {
    const Outcome first = trainInView({"--steps", "100000", "--set", "log_every=5"}, [&] { return logLines() >= 3; });
    EXPECT_EQ(first.code, kInterrupted) << first.err;
    expectParts(first.out, {"interrupted"});
    const size_t step = stepInCheckpoint();
    EXPECT_GE(step, 15u);
    EXPECT_EQ(metricsOf(out).at("steps"), step);
    EXPECT_EQ(readPly(out / "splats.ply").count(), 60u);
    EXPECT_FALSE(fs::exists(out / "strip.png"));
    const Outcome second = trainInView(
        {"--steps", "100000", "--set", "log_every=5", "--resume", out / "checkpoint.splat-ckpt"},
        [&] { return logLines() >= step / 5 + 3; }, true);
    expectSuccess(second);
    EXPECT_GT(stepInCheckpoint(), step);
    const auto log = logOf(out);
    for (size_t i = 0; i < log.size(); ++i) EXPECT_EQ(log[i].at("step"), 5 * (i + 1));
}

TEST_F(TrainView, WhoseWindowIsClosedSavesWhatIsTrained) {
    const Outcome run = trainInView(
        {"--steps", "100000", "--set", "log_every=5"}, [&] { return logLines() >= 3; }, true);
    expectSuccess(run);
    expectParts(run.out, {"resume  ", "--resume " + (out / "checkpoint.splat-ckpt").string()});
    const size_t step = stepInCheckpoint();
    EXPECT_GE(step, 15u);
    EXPECT_LT(step, 100'000u);
    EXPECT_EQ(metricsOf(out).at("steps"), step);
    EXPECT_EQ(readPly(out / "splats.ply").count(), 60u);
    EXPECT_FALSE(fs::exists(out / "run.lock"));
}

TEST_F(TrainView, ThatIsLeftAtOnceLeavesAWholeRunOrNone) {
    const Outcome run = trainInView({"--steps", "100000"}, [&] { return fs::exists(out); });
    EXPECT_EQ(run.code, kInterrupted) << run.err;
    if (!fs::exists(out)) return;  // no step was done
    EXPECT_GT(stepInCheckpoint(), 0u);
    EXPECT_EQ(readPly(out / "splats.ply").count(), 60u);
}

TEST_F(TrainView, SaysWhatIsWrongBeforeThereIsAWindow) {
    const auto fails = [&](Arguments arguments, int code, const std::vector<std::string>& parts) {
        arguments.insert(arguments.begin(), "train");
        arguments.insert(arguments.end(), {"-o", out, "--view"});
        expectFailure(splatwright(arguments, {.environment = {{"DISPLAY", display.name()}}}), code, parts);
        EXPECT_FALSE(fs::exists(out));
    };
    fails({at("nothing")}, 2, {"nothing"});
    fails({data, "--capture", "3"}, 2, {"--capture", "Shift+F12"});
    fails({data, "--steps", "0"}, 2, {"steps"});
    expectFailure(splatwright({"train", data, "-o", out, "--view"}, {.environment = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}}}), 1,
                  {"no window can be opened"});
    EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace splat
