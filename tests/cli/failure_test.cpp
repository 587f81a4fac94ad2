#include "run.h"

#include <splatwright/scene/formats/ply.h>
#include <splatwright/train/checkpoint/checkpoint.h>

namespace splat {
namespace {

using namespace test;

/// What is said and saved when the device gives up.
struct Failure : testing::Test {
    Outcome train(Arguments more, const RunOptions& options = {}) const {
        Arguments arguments{"train", data, "-o", out, "--config", config};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments, options);
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
    fs::path out = scratch.path() / "out";
    fs::path config = scratch.write("config.json", R"({"steps": 120, "strategy": "fixed", "log_every": 10, "init": "random",
        "init_count": 100, "checkpoint_every": 15})");
    std::string checkpoint = out / "checkpoint.splat-ckpt";
};

// Submissions. Training starts with about the 50th and makes one per one to four steps; a checkpoint makes a few.
constexpr const char* kAfterFirstSteps = "70";
constexpr const char* kAfterFirstCheckpoint = "100";

TEST_F(Failure, LostDeviceNamesTheLastCheckpoint) {
    expectFailure(train({"--lose-device-at", kAfterFirstCheckpoint}), 1,
                  {"device lost", "ran last (submission 99 of 99)", "the last checkpoint, of step", checkpoint, "--resume"});
    EXPECT_FALSE(logOf(out).empty());
    expectSuccess(splatwright({"train", data, "-o", out, "--resume", checkpoint}));
    EXPECT_EQ(metricsOf(out)["steps"], 120);
    EXPECT_EQ(metricsOf(out)["resumed_from"].size(), 1u);
}

TEST_F(Failure, LostDeviceWithoutACheckpointSaysSo) {
    expectFailure(train({"--lose-device-at", kAfterFirstSteps, "--checkpoint-every", "0"}), 1, {"device lost", "no checkpoint"});
    EXPECT_FALSE(fs::exists(checkpoint));
}

/// With the highest rate that is accepted, sizes leave single precision after five steps at the earliest.
TEST_F(Failure, DivergenceEndsTheRunAtItsStepWithTheLastSoundCheckpointAndItsSplats) {
    const Outcome outcome = train({"--set", "lr_scales=10", "--set", "watch=false", "--steps", "60", "--checkpoint-every", "2"});
    expectFailure(outcome, 1, {"training diverged", "after step", "the splats of step", "the last checkpoint, of step", checkpoint});
    const Checkpoint left = readCheckpoint(checkpoint);
    const auto sound = left.value<uint32_t>("step");
    expectParts(outcome.err, {fmt::format("the splats of step {} are in", sound), fmt::format("of step {}, is", sound)});
    const json last = logOf(out).back();
    const auto bad = last["step"].get<uint32_t>();
    EXPECT_EQ((bad - 1) / 2 * 2, sound);
    expectParts(outcome.err, {fmt::format("after step {}", bad)});
    EXPECT_NE(last["problem"].get<std::string>().find("diverged"), std::string::npos);
    EXPECT_GE(sound, 2u);
    EXPECT_GE(100 * readPly(out / "splats.ply").count(), 99 * left.value<size_t>("gaussians"));
    EXPECT_FALSE(fs::exists(out / "metrics.json"));
}

TEST_F(Failure, DivergenceBeforeTheFirstCheckpointLeavesNoSplats) {
    expectFailure(train({"--set", "lr_scales=10", "--set", "watch=false", "--steps", "60", "--checkpoint-every", "0"}), 1,
                  {"training diverged", "no checkpoint"});
    EXPECT_FALSE(fs::exists(out / "splats.ply"));
    EXPECT_FALSE(fs::exists(checkpoint));
    EXPECT_NE(logOf(out).back()["problem"].get<std::string>().find("diverged"), std::string::npos);
}

TEST_F(Failure, TooLittleMemoryToStartSaysWhatIsNeeded) {
    expectFailure(train({"--memory-limit", "1", "--set", "init_count=20000"}), 1, {"buffer '", "needs", "MiB in use", "has 1.0 MiB"});
    EXPECT_FALSE(fs::exists(out));
}

// More than the splats, less than a checkpoint of them.
constexpr uint64_t kBetween = 40'000;

/// Sets the limit of file sizes of a process that is held: the disk becomes full, or gets room again.
std::function<void(pid_t)> limits(uint64_t bytes, int signal = 0) {
    return [bytes, signal](pid_t process) {
        const rlimit limit{bytes, RLIM_INFINITY};
        EXPECT_EQ(prlimit(process, RLIMIT_FSIZE, &limit, nullptr), 0);
        if (signal != 0) kill(process, signal);
    };
}

TEST_F(Failure, CheckpointOnAFullDiskIsWarnedOfAndTrainingContinues) {
    const auto full = [] {
        const rlimit limit{kBetween, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &limit);
    };
    const Outcome outcome = train({"--steps", "40", "--hold-at", "32"}, {.whenHeld = limits(RLIM_INFINITY), .inChild = full});
    expectSuccess(outcome);
    expectParts(outcome.err, {checkpoint, "cannot be written: File too large; training continues"});
    EXPECT_EQ(readCheckpoint(checkpoint).value<uint32_t>("step"), 40u);
    EXPECT_EQ(metricsOf(out)["steps"], 40);
    EXPECT_EQ(logOf(out).size(), 4u);
}

TEST_F(Failure, LastCheckpointOnAFullDiskFailsTheCommandAndNamesWhatThereIs) {
    expectFailure(train({"--steps", "20"}, {.fileSizeLimit = kBetween}), 1,
                  {checkpoint, "cannot be written: File too large; the splats of step 20", "no checkpoint"});
    EXPECT_EQ(readPly(out / "splats.ply").count(), 100u);
    EXPECT_FALSE(fs::exists(checkpoint));
}

/// At the end and at an interrupt.
TEST_F(Failure, LastCheckpointOnAFullDiskLeavesTheOneBefore) {
    for (const int signal : {0, SIGINT}) {
        const Outcome outcome = train({"--force", "--steps", "60", "--hold-at", "50"}, {.whenHeld = limits(kBetween, signal)});
        const auto step = readCheckpoint(checkpoint).value<uint32_t>("step");
        EXPECT_GE(step, 30u) << "that of step 45 was begun after it";
        expectFailure(outcome, 1,
                      {"cannot be written: File too large", fmt::format("the last checkpoint, of step {}, is {}", step, checkpoint)});
    }
    expectSuccess(splatwright({"train", data, "-o", out, "--resume", checkpoint}));
    EXPECT_EQ(metricsOf(out)["steps"], 60);
}

/// Lines that are kept until there is room: they are more than any other file.
TEST_F(Failure, ALogThatAFullDiskHasNoRoomForFailsTheCommandAtItsEnd) {
    const Outcome outcome = train({"--checkpoint-every", "0", "--set", "init_count=20", "--set", "log_every=1"}, {.fileSizeLimit = 16'000});
    expectFailure(outcome, 1, {"log.jsonl", "cannot be written: File too large; its lines are kept", "the splats of step 120"});
    EXPECT_FALSE(fs::exists(out / "metrics.json"));
}

TEST_F(Failure, ModelThatOutgrowsTheMemoryStopsGrowingAndGoesOn) {
    const Outcome outcome = train({"--strategy",     "mcmc",
                                   "--init",         "random",
                                   "--max-splats",   "1000000",
                                   "--steps",        "24",
                                   "--eval-at",      "16",
                                   "--set",          "init_count=500",
                                   "--set",          "grow_factor=2",
                                   "--set",          "densify_from=2",
                                   "--set",          "densify_interval=3",
                                   "--memory-limit", "4"});
    expectSuccess(outcome);
    const std::string said = "no device memory for more than";
    expectParts(outcome.err, {said, "MiB", "training continues"});
    EXPECT_EQ(outcome.err.find(said), outcome.err.rfind(said)) << outcome.err;
    const json metrics = metricsOf(out);
    EXPECT_EQ(metrics["steps"], 24);
    EXPECT_TRUE(metrics["psnr"].is_number());
    EXPECT_LE(metrics["peak_device_mib"], 4);
    EXPECT_GT(metrics["splats"], 500);
    EXPECT_LT(metrics["splats"], 500 << 7);  // of seven doublings
}

}  // namespace
}  // namespace splat
