#include <splatwright/train.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <splatwright/api/device_access.h>
#include <splatwright/render.h>
#include "api/library.h"
#include "cli/run.h"
#include "support/test_device.h"

namespace splatwright {
namespace {

using namespace test;
using splat::test::metricsOf;
using splat::test::Scratch;
namespace fs = std::filesystem;

struct LibraryTraining : testing::Test {
    /// Few steps of a strategy that grows.
    TrainOptions options(const std::string& steps = "24") const {
        return {.data = data,
                .settings = {{"strategy", "mcmc"},
                             {"steps", steps},
                             {"init", "random"},
                             {"init_count", "200"},
                             {"densify_from", "4"},
                             {"densify_interval", "5"},
                             {"deterministic", "true"}}};
    }
    /// The same for the program.
    void runProgram(const fs::path& folder, const std::vector<std::string>& further = {}) const {
        std::vector<std::string> arguments{"train", data, "-o", folder, "-q"};
        for (const SettingValue& setting : options().settings)
            arguments.insert(arguments.end(), {"--set", setting.name + "=" + setting.value});
        arguments.insert(arguments.end(), further.begin(), further.end());
        splat::test::expectSuccess(splat::test::splatwright(arguments));
    }
    Splats trained(const TrainOptions& asked) const {
        Training training(testDevice(), asked);
        training.run();
        return training.splats();
    }

    Scratch scratch;
    fs::path data = splat::test::tinyDataset(scratch);
};

/// Setting `name` of a list; empty: it is not there.
std::string valueOf(const std::vector<SettingInfo>& settings, const std::string& name) {
    for (const SettingInfo& setting : settings) {
        if (setting.name == name) return setting.value;
    }
    return {};
}

TEST_F(LibraryTraining, InPartsWithRendersBetweenThemIsTheProgramsToTheLastBit) {
    const fs::path folder = scratch.path() / "run", own = scratch.path() / "own";
    runProgram(folder);
    TrainOptions asked = options();
    asked.folder = own;
    asked.evaluateAt = {10};
    Training training(testDevice(), asked);
    EXPECT_EQ(training.steps(), 24u);
    EXPECT_EQ(training.run(7), 7u);
    const Image8 early = training.render(readDataset(data).views[0].camera);
    EXPECT_EQ(training.run(7), 7u) << "done already";
    training.saveCheckpoint(scratch.path() / "seven");
    EXPECT_EQ(training.run(15), 15u);
    const Scores scores = training.evaluate();
    EXPECT_EQ(training.run(), 24u);
    EXPECT_TRUE(training.complete());
    EXPECT_NE(training.render(readDataset(data).views[0].camera).pixels, early.pixels);
    training.saveSplats(scratch.path() / "saved.ply");
    const TrainSummary summary = training.finish();

    expectSameBits(training.splats(), readSplats(folder / "splats.ply"));
    expectSameBits(readSplats(scratch.path() / "saved.ply"), readSplats(folder / "splats.ply"));
    expectSameBits(readSplats(own / "splats.ply"), readSplats(folder / "splats.ply"));
    EXPECT_TRUE(summary.complete);
    EXPECT_EQ(summary.steps, 24u);
    EXPECT_EQ(summary.splats, training.splats().size());
    EXPECT_EQ(summary.scores.views, 1u);
    EXPECT_DOUBLE_EQ(summary.scores.psnr, metricsOf(folder)["psnr"]);
    EXPECT_DOUBLE_EQ(training.evaluate().psnr, summary.scores.psnr) << "nothing has changed since";
    EXPECT_NE(scores.psnr, summary.scores.psnr);
    EXPECT_GT(summary.trainSeconds, 0);
    EXPECT_GE(summary.totalSeconds, summary.trainSeconds);
    EXPECT_GT(summary.peakMemory, 0u);
    EXPECT_EQ(metricsOf(own)["settings"], metricsOf(folder)["settings"]);
}

TEST_F(LibraryTraining, ReportsEachStepOnceAndInOrder) {
    Training training(testDevice(), options());
    uint32_t last = 0;
    const auto check = [&](const TrainStep& step) {
        EXPECT_EQ(step.step, last + 1);
        last = step.step;
        EXPECT_EQ(step.steps, 24u);
        EXPECT_GT(step.loss, 0);
        EXPECT_GT(step.splats, 0u);
        EXPECT_LE(step.visible, step.splats);
        EXPECT_EQ(std::isnan(step.milliseconds), step.step == 1);
        return true;
    };
    training.run(9, check);
    EXPECT_EQ(last, 9u);
    training.run(check);
    EXPECT_EQ(last, 24u);
}

TEST_F(LibraryTraining, EndsWhereTheCallbackSaysSoAndGoesOnAfterwards) {
    Training training(testDevice(), options("400"));
    std::vector<uint32_t> reported;
    const uint32_t done = training.run([&](const TrainStep& step) {
        reported.push_back(step.step);
        return step.step < 3;
    });
    EXPECT_EQ(reported, (std::vector<uint32_t>{1, 2, 3})) << "steps that are still done are not reported";
    EXPECT_GE(done, 3u);
    EXPECT_LT(done, 400u);
    EXPECT_EQ(training.stepsDone(), done);
    EXPECT_FALSE(training.complete());
    const TrainSummary summary = training.finish();
    EXPECT_FALSE(summary.complete);
    EXPECT_EQ(summary.steps, done);
    EXPECT_EQ(summary.scores.views, 0u);
    EXPECT_TRUE(std::isnan(summary.scores.psnr));
    EXPECT_EQ(training.run(done + 2), done + 2);
    EXPECT_EQ(training.run(done + 3, [](const TrainStep&) { return false; }), done + 3) << "by its last step";
    EXPECT_EQ(training.run(done + 5), done + 5) << "which ends no other run";
}

TEST_F(LibraryTraining, EndsWhenAnotherThreadSaysSo) {
    Training training(testDevice(), options("100000"));
    std::atomic<bool> begun = false;
    std::jthread other([&] {
        while (!begun) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        training.stop();
    });
    EXPECT_LT(training.run([&](const TrainStep&) { return begun = true; }), 100'000u);
    EXPECT_FALSE(training.complete());
    training.stop();
    const uint32_t done = training.stepsDone();
    EXPECT_EQ(training.run(done + 1), done + 1) << "a stop of no run ends none";
}

TEST_F(LibraryTraining, ContinuesFromACheckpointAsIfItHadNotEnded) {
    const Splats whole = trained(options());
    TrainOptions resumed = options();
    {
        Training training(testDevice(), options());
        training.run(11);
        training.saveCheckpoint(scratch.path() / "eleven");
        training.run(13);
        training.saveCheckpoint(scratch.path() / "thirteen");
    }
    for (const char* name : {"eleven", "thirteen"}) {
        resumed.resume = scratch.path() / name;
        Training training(testDevice(), resumed);
        EXPECT_EQ(training.stepsDone(), name[0] == 'e' ? 11u : 13u);
        training.run();
        expectSameBits(training.splats(), whole);
    }
    EXPECT_EQ(valueOf(trainSettings({.resume = scratch.path() / "eleven"}), "init_count"), "200");
    expectError<InputError>([&] { trainSettings({.settings = {{"sh_degree", "1"}}, .resume = scratch.path() / "eleven"}); }, {"sh_degree"});
    resumed.reading.format = "transforms";
    expectError<InputError>([&] { Training(testDevice(), resumed); }, {"reading.format", "transforms", "colmap"});
    resumed.reading.format = "";
    resumed.data = splat::test::tinyDataset(scratch, "other", "40x24");
    expectError<InputError>([&] { Training(testDevice(), resumed); }, {"other"});
}

TEST_F(LibraryTraining, LeavesACheckpointInTheFolderOfARunWithStepsLeft) {
    TrainOptions asked = options();
    asked.folder = scratch.path() / "run";
    {
        Training training(testDevice(), asked);
        training.run(5);
        expectError<InputError>([&] { Training(testDevice(), asked); }, {"run", "training into this folder"});
        training.finish();
    }
    EXPECT_EQ(metricsOf(asked.folder)["steps"], 5);
    expectError<InputError>([&] { Training(testDevice(), asked); }, {"contains another run"});
    runProgram(asked.folder, {"--resume", asked.folder / "checkpoint.splat-ckpt"});
    expectSameBits(readSplats(asked.folder / "splats.ply"), trained(options()));
    asked.overwrite = true;
    EXPECT_EQ(Training(testDevice(), asked).stepsDone(), 0u);
}

TEST_F(LibraryTraining, HasASummaryBeforeItsFirstStep) {
    Training training(testDevice(), options());
    const TrainSummary summary = training.finish();
    EXPECT_EQ(summary.steps, 0u);
    EXPECT_FALSE(summary.complete);
    EXPECT_EQ(training.splats().size(), 200u);
    EXPECT_EQ(training.run(2), 2u);
}

TEST_F(LibraryTraining, DrawsWhatItsSplatsAre) {
    Training training(testDevice(), options());
    training.run();
    const Camera camera = readDataset(data).views[1].camera;
    const Image8 own = training.render(camera), other = quantised(Renderer(testDevice(), training.splats()).render(camera));
    ASSERT_EQ(own.pixels.size(), other.pixels.size());
    int most = 0;
    for (size_t i = 0; i < own.pixels.size(); ++i) most = std::max(most, std::abs(int{own.pixels[i]} - int{other.pixels[i]}));
    EXPECT_LE(most, 1) << "in the training's frame numbers round otherwise";
}

TEST_F(LibraryTraining, IsUsedOnlyBetweenSteps) {
    Training training(testDevice(), options());
    const std::vector<std::pair<const char*, std::function<void()>>> members{
        {"run", [&] { training.run(); }},
        {"render", [&] { training.render(frontCamera()); }},
        {"evaluate", [&] { training.evaluate(); }},
        {"splats", [&] { training.splats(); }},
        {"splats", [&] { training.saveSplats(scratch.path() / "a.ply"); }},
        {"saveCheckpoint", [&] { training.saveCheckpoint(scratch.path() / "a"); }},
        {"finish", [&] { training.finish(); }},
    };
    training.run(1, [&](const TrainStep&) {
        for (const auto& [name, call] : members)
            expectError<InputError>(call, {std::string("Training::") + name + ": was called within the callback"});
        EXPECT_LE(training.stepsDone(), training.steps());
        return true;
    });
    EXPECT_EQ(training.run(2), 2u) << "the training is sound";
}

/// A number, thrown by a callback.
struct Thrown {
    int number;
};

TEST_F(LibraryTraining, HandsOnWhatTheCallbackThrowsAndHasFailed) {
    const auto fail = [&](Training& training) {
        training.run([](const TrainStep& step) -> bool { throw Thrown{static_cast<int>(step.step)}; });
    };
    TrainOptions asked = options();
    asked.folder = scratch.path() / "run";
    Training training(testDevice(), asked);
    try {
        fail(training);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Thrown& thrown) {
        EXPECT_EQ(thrown.number, 1);
    }
    EXPECT_GT(training.stepsDone(), 0u);
    for (const std::function<void()>& call : std::vector<std::function<void()>>{
             [&] { training.run(); }, [&] { training.finish(); }, [&] { training.splats(); }, [&] { training.render(frontCamera()); }})
        expectError<InputError>(call, {"training has failed"});
    EXPECT_GT(readSplats(asked.folder / "splats.ply").size(), 0u) << "what there was is saved";
}

TEST_F(LibraryTraining, SaysWhenItDiverges) {
    TrainOptions asked = options("60");
    asked.settings[0].value = "fixed";
    asked.settings.erase(asked.settings.begin() + 4, asked.settings.begin() + 6);  // of densification
    asked.settings.insert(asked.settings.end(), {{"lr_scales", "10"}, {"watch", "false"}});
    Training training(testDevice(), asked);
    expectError<Diverged>([&] { training.run(); }, {"training diverged", "after step"});
    expectError<Diverged>([&] { training.run(); }, {"training diverged"});
}

TEST_F(LibraryTraining, SaysWhenMemoryIsShortOrTheDeviceIsLost) {
    splat::gpu::DeviceOptions limited = splat::testDeviceOptions(), lost = limited;
    limited.memoryLimit = 1u << 16u;
    Device small = DeviceAccess::make(limited);
    expectError<OutOfMemory>([&] { Training(small, options()); }, {"MiB"});
    lost.loseAtSubmission = 150;  // of which loading makes about 90
    Device device = DeviceAccess::make(lost);
    Training training(device, options("100000"));
    expectError<DeviceLost>([&] { training.run(); }, {"lost"});
    expectError<InputError>([&] { training.run(); }, {"training has failed"});
}

TEST_F(LibraryTraining, RefusesWhatIsNotValid) {
    const auto refused = [&](const std::function<void(TrainOptions&)>& spoil, const std::vector<std::string>& parts) {
        TrainOptions asked = options();
        asked.folder = scratch.path() / "run";
        spoil(asked);
        expectError<InputError>([&] { Training(testDevice(), asked); }, parts);
        EXPECT_FALSE(fs::exists(scratch.path() / "run")) << parts[0];
    };
    refused([](TrainOptions& o) { o.settings.push_back({"step", "3"}); }, {"'step'", "steps"});
    refused([](TrainOptions& o) { o.settings.push_back({"steps", "3"}); }, {"steps", "twice"});
    refused([](TrainOptions& o) { o.settings[1].value = "many"; }, {"steps", "many"});
    refused([](TrainOptions& o) { o.settings[0].value = "none"; }, {"strategy", "'none'"});
    refused([](TrainOptions& o) { o.settings.push_back({"sh_degree", "4"}); }, {"sh_degree", "4"});
    refused([](TrainOptions& o) { o.preset = "none"; }, {"preset", "'none'", "mcmc"});
    refused([&](TrainOptions& o) { o.config = scratch.path() / "none.json"; }, {"none.json"});
    refused([&](TrainOptions& o) { o.resume = scratch.path() / "none.ckpt"; }, {"none.ckpt"});
    refused([](TrainOptions& o) { o.evaluateAt = {3, 25}; }, {"evaluateAt", "25", "1 to 24"});
    refused([](TrainOptions& o) { o.evaluateAt = {0}; }, {"evaluateAt", "step 0"});
    refused([](TrainOptions& o) { o.data = "/none"; }, {"/none"});
    refused([](TrainOptions& o) { o.reading.maxScale = 99; }, {"maxScale is 99"});
    Training training(testDevice(), options());
    for (const BadCamera& bad : badCameras()) {
        Camera camera = frontCamera();
        bad.spoil(camera);
        expectError<InputError>([&] { training.render(camera); }, {bad.message});
    }
    expectError<InputError>([&] { training.saveSplats(scratch.path() / "a.doc"); }, {"a.doc", "no splat file"});
    expectError<Error>([&] { training.saveSplats(scratch.path() / "none/a.ply"); }, {"none/a.ply"});
    expectError<Error>([&] { training.saveCheckpoint(scratch.path() / "none/a.ckpt"); }, {"none/a.ckpt"});
    EXPECT_EQ(training.run(3), 3u) << "the training is sound";
    training.saveCheckpoint(scratch.path() / "a.ckpt");
    EXPECT_TRUE(fs::exists(scratch.path() / "a.ckpt"));
}

TEST(LibrarySettings, AreResolvedAsForTheProgram) {
    const Scratch scratch;
    const std::vector<SettingInfo> byDefault = trainSettings();
    EXPECT_GT(byDefault.size(), 40u);
    for (const SettingInfo& setting : byDefault) EXPECT_FALSE(setting.help.empty()) << setting.name;
    const auto config = scratch.write("config.json", R"({"steps": 77, "lr_means": 0.001})");
    for (const std::string& preset : trainPresets()) {
        const auto settings = trainSettings({.preset = preset, .config = config, .settings = {{"lr_means", "0.002"}}});
        EXPECT_EQ(valueOf(settings, "steps"), "77") << "the file overrides the preset";
        EXPECT_EQ(valueOf(settings, "lr_means"), "0.002") << "single settings override the file";
        EXPECT_EQ(settings.size(), byDefault.size()) << preset;
    }
    EXPECT_EQ(valueOf(trainSettings({.preset = "mcmc"}), "strategy"), "mcmc");
    EXPECT_NE(valueOf(trainSettings({.settings = {{"strategy", "mcmc"}}}), "opacity_reg"), valueOf(byDefault, "opacity_reg"))
        << "a strategy brings its defaults";
    expectError<InputError>([] { trainSettings({.settings = {{"no_such", "1"}}}); }, {"no_such"});
}

}  // namespace
}  // namespace splatwright
