#include "run.h"

#include "scene/formats/ply.h"

namespace splat {
namespace {

using namespace test;

/// What is said and saved when the device gives up.
struct Failure : testing::Test {
    Outcome train(std::vector<std::string> more, const RunOptions& options = {}) const {
        std::vector<std::string> arguments{"train", data, "-o", out, "--config", config};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments, options);
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
    fs::path out = scratch.path() / "out";
    fs::path config = scratch.write("config.json", R"({"steps": 120, "strategy": "fixed", "log_every": 10, "init": "random",
        "init_count": 400, "checkpoint_every": 15})");
    std::string checkpoint = out / "checkpoint.splat-ckpt";
};

constexpr const char* kLost = "100";  // submission: well after the first checkpoint, well before the end

TEST_F(Failure, LostDeviceNamesTheLastCheckpoint) {
    expectFailure(train({"--lose-device-at", kLost}), 1, {"device lost", "the last checkpoint, of step", checkpoint, "--resume"});
    EXPECT_FALSE(logOf(out).empty());
    expectSuccess(splatwright({"train", data, "-o", out, "--resume", checkpoint}));
    EXPECT_EQ(metricsOf(out)["steps"], 120);
    EXPECT_EQ(metricsOf(out)["resumed_from"].size(), 1u);
}

TEST_F(Failure, LostDeviceWithoutACheckpointSaysSo) {
    expectFailure(train({"--lose-device-at", kLost, "--checkpoint-every", "0"}), 1, {"device lost", "no checkpoint"});
    EXPECT_FALSE(fs::exists(checkpoint));
}

TEST_F(Failure, TooLittleMemoryToStartSaysWhatIsNeeded) {
    expectFailure(train({"--memory-limit", "1", "--set", "init_count=20000"}), 1, {"buffer '", "needs", "MiB in use", "has 1.0 MiB"});
    EXPECT_FALSE(fs::exists(out));
}

TEST_F(Failure, CheckpointThatCannotBeWrittenEndsTheRunWithItsSplats) {
    // More than the splats, less than a checkpoint of them.
    expectFailure(train({}, {.fileSizeLimit = 150'000}), 1, {checkpoint, "cannot be written", "File too large", "the splats of step"});
    EXPECT_EQ(readPly(out / "splats.ply").count(), 400u);
    EXPECT_FALSE(fs::exists(checkpoint));
}

TEST_F(Failure, ModelThatOutgrowsTheMemoryStopsGrowingAndGoesOn) {
    const Outcome outcome = train({"--strategy",     "mcmc",
                                   "--init",         "random",
                                   "--max-splats",   "1000000",
                                   "--steps",        "24",
                                   "--eval-at",      "16",
                                   "--set",          "init_count=4000",
                                   "--set",          "grow_factor=2",
                                   "--set",          "densify_from=2",
                                   "--set",          "densify_interval=3",
                                   "--memory-limit", "24"});
    expectSuccess(outcome);
    const std::string said = "no device memory for more than";
    expectParts(outcome.err, {said, "MiB", "goes on"});
    EXPECT_EQ(outcome.err.find(said), outcome.err.rfind(said)) << outcome.err;
    const json metrics = metricsOf(out);
    EXPECT_EQ(metrics["steps"], 24);
    EXPECT_TRUE(metrics["psnr"].is_number());
    EXPECT_LE(metrics["peak_device_mib"], 24);
    EXPECT_GT(metrics["splats"], 4000);
    EXPECT_LT(metrics["splats"], 4000 << 7);  // of seven doublings
}

}  // namespace
}  // namespace splat
