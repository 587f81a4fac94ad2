#include "run.h"

#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/train/densify/densifier.h>

namespace splat {
namespace {

using namespace test;

/// Short deterministic runs that densify and reset in between, and can be told to stop.
struct Resume : testing::TestWithParam<std::string_view> {
    static constexpr int kSteps = 60;
    static constexpr int kEvery = 9;  // so that checkpoints fall between refinements, which begin statistics anew
    /// The checkpoint of step 18 is due, so that of step 9 is whole; 32 more steps may be on their way, and there are still some to come.
    static constexpr const char* kLater = "20";

    fs::path out(const char* name) const { return scratch.path() / name; }
    fs::path checkpoint(const char* name) const { return out(name) / "checkpoint.splat-ckpt"; }

    Outcome train(const char* folder, Arguments more = {}, const RunOptions& options = {}) const {
        Arguments arguments{"train", data, "-o", out(folder)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments, options);
    }
    Outcome begin(const char* folder, Arguments more = {}, const RunOptions& options = {}) const {
        more.insert(more.end(), {"--config", config, "--deterministic"});
        return train(folder, more, options);
    }

    /// At the step that --hold-at says.
    static RunOptions sends(int signal) {
        return {.whenHeld = [signal](pid_t run) { kill(run, signal); }};
    }

    std::vector<int> loggedSteps(const char* folder) const {
        std::vector<int> steps;
        for (const json& line : logOf(out(folder))) steps.push_back(line["step"]);
        return steps;
    }

    void expectSameRun(const char* a, const char* b) const {
        EXPECT_EQ(readFile(out(a) / "splats.ply"), readFile(out(b) / "splats.ply"));
        EXPECT_EQ(loggedSteps(a), loggedSteps(b));
        const json x = metricsOf(out(a)), y = metricsOf(out(b));
        for (const char* key : {"steps", "splats", "psnr", "ssim", "settings"}) EXPECT_EQ(x[key], y[key]) << key;
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
    fs::path config = scratch.write(
        "config.json", fmt::format(R"({{"strategy": "default", "steps": {}, "log_every": 10, "init": "random", "init_count": 60,
        "checkpoint_every": {}, "densify_from": 6, "densify_interval": 4, "densify_until": 56, "reset_every": 25, "decay_every": 22,
        "prune_opacity": 0.005, "sh_degree_interval": 15, "max_splats": 240, "grow_grad2d": 0.008}})",
                                   kSteps, kEvery));
};

/// Every strategy's run, killed where it could not know, goes on to the bytes of a run that was left alone.
class ResumeStrategy : public Resume {};

TEST_P(ResumeStrategy, KilledRunGoesOnToTheSameBytes) {
    expectSuccess(begin("whole", {"--strategy", std::string(GetParam())}));
    const Outcome killed = begin("killed", {"--strategy", std::string(GetParam()), "--hold-at", kLater}, sends(SIGKILL));
    ASSERT_EQ(killed.code, 128 + SIGKILL) << killed.err;
    EXPECT_FALSE(fs::exists(out("killed") / "splats.ply"));
    const std::string half = "checkpoint.splat-ckpt.tmp0123456789abcdef";
    scratch.write("killed/" + half, "half of one");
    for (const char* own : {"metrics.json.tmpl", "splats.ply.tmp", "checkpoint.splat-ckpt.tmp1"})
        scratch.write(std::string("killed/") + own, "the user's");
    scratch.write("killed/log.jsonl", readTextFile(out("killed") / "log.jsonl") + "{\"step\": 1");

    expectSuccess(train("killed", {"--resume", checkpoint("killed")}));
    expectSameRun("whole", "killed");
    const json from = metricsOf(out("killed"))["resumed_from"];
    ASSERT_EQ(from.size(), 1u);
    EXPECT_EQ(from[0].get<int>() % kEvery, 0);
    EXPECT_FALSE(fs::exists(out("killed") / half));
    for (const char* own : {"metrics.json.tmpl", "splats.ply.tmp", "checkpoint.splat-ckpt.tmp1"})
        EXPECT_TRUE(fs::exists(out("killed") / own)) << own;
}

/// Those that train on views.
std::vector<std::string_view> sceneStrategies() {
    std::vector<std::string_view> names;
    for (const DensifierRow* row : densifierTable()) {
        if (trainedKind(defaultsOf(row->name)).subject == SettingUse::scenes) names.push_back(row->name);
    }
    return names;
}
INSTANTIATE_TEST_SUITE_P(All, ResumeStrategy, testing::ValuesIn(sceneStrategies()),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(Resume, InterruptedRunGoesOnInAnotherFolder) {
    expectSuccess(begin("whole", {"--checkpoint-every", "0"}));
    const Outcome stopped = begin("stopped", {"--checkpoint-every", "0", "--hold-at", kLater}, sends(SIGINT));
    ASSERT_EQ(stopped.code, 130) << stopped.err;
    expectParts(stopped.out, {"interrupted", "checkpoint.splat-ckpt"});
    const std::string log = readTextFile(out("stopped") / "log.jsonl");

    expectSuccess(train("other", {"--resume", checkpoint("stopped"), "--validate"}));
    expectSameRun("whole", "other");
    EXPECT_EQ(metricsOf(out("other"))["resumed_from"], json::array({metricsOf(out("stopped"))["steps"]}));
    EXPECT_EQ(readTextFile(out("stopped") / "log.jsonl"), log);
}

/// Whoever stops programs may send a signal again and again (timeout, systemd, a shell): some of these come while files are written.
TEST_F(Resume, SignalsWhileSavingLeaveAWholeRun) {
    const std::vector<std::string> large{
        "--strategy", "fixed", "--set", "init_count=10000", "--set", "max_splats=0", "--checkpoint-every", "2", "--hold-at", "4"};
    std::jthread flood;
    const auto sendMany = [&](pid_t run) {
        flood = std::jthread([run](const std::stop_token& over) {
            for (; !over.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(1))) kill(run, SIGTERM);
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // at least one waits when the process goes on
    };
    const Outcome stopped = begin("run", large, {.whenHeld = sendMany});
    flood = {};
    ASSERT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
    EXPECT_EQ(readPly(out("run") / "splats.ply").count(), 10'000u);
    const int step = metricsOf(out("run"))["steps"];
    EXPECT_GE(step, 4);
    EXPECT_LT(step, kSteps);
    expectSuccess(train("run", {"--resume", checkpoint("run"), "--steps", std::to_string(step + 1)}));
    EXPECT_EQ(metricsOf(out("run"))["resumed_from"], json::array({step}));
}

TEST_F(Resume, FinishedRunIsDoneUnlessMoreStepsAreAskedFor) {
    expectSuccess(begin("run", {"--steps", "10"}));
    const auto splats = readFile(out("run") / "splats.ply");
    const Outcome again = train("run", {"--resume", checkpoint("run")});
    expectSuccess(again);
    expectParts(again.out, {"10 steps are done", "nothing to do", "--steps"});
    EXPECT_EQ(readFile(out("run") / "splats.ply"), splats);

    expectSuccess(train("run", {"--resume", checkpoint("run"), "--steps", "20"}));
    const json metrics = metricsOf(out("run"));
    EXPECT_EQ(metrics["steps"], 20);
    EXPECT_EQ(metrics["settings"]["steps"], 20);
    EXPECT_EQ(metrics["settings"]["deterministic"], true);
    EXPECT_EQ(loggedSteps("run"), (std::vector<int>{10, 20}));
    EXPECT_NE(readFile(out("run") / "splats.ply"), splats);
}

TEST_F(Resume, ARunOfAllItsPassesIsDone) {
    const std::vector<std::string> limits{"--steps", "15", "--set", "max_passes=1", "--set", "min_steps=10", "--eval-at", "5,12,15"};
    const Outcome first = begin("run", limits);
    expectSuccess(first);
    expectParts(first.out + first.err, {"10 steps instead of 15", "no evaluation after step 12"});
    EXPECT_EQ((first.out + first.err).find("after step 15"), std::string::npos) << "the last step, whichever it is, has one";
    EXPECT_EQ(metricsOf(out("run"))["steps"], 10);
    EXPECT_EQ(metricsOf(out("run"))["settings"]["steps"], 15) << "as given, for other datasets";
    const Outcome again = train("run", {"--resume", checkpoint("run")});
    expectSuccess(again);
    expectParts(again.out, {"10 steps are done", "nothing to do", "--steps"});
    expectFailure(train("run", {"--resume", checkpoint("run"), "--steps", "60", "--set", "max_passes=1"}), 2,
                  {"steps is 60", "max_passes=1 allows 10"});
    expectSuccess(train("run", {"--resume", checkpoint("run"), "--set", "max_passes=0"}));
    EXPECT_EQ(metricsOf(out("run"))["steps"], 15);
}

/// A preset's limit of passes shortens only what nobody asked for.
TEST_F(Resume, StepsThatAreGivenRunAboveAPresetsLimit) {
    const fs::path preset =
        scratch.write("passes.json", R"({"max_passes": 1, "min_steps": 4, "densify_until": 15000, "init": "random", "init_count": 60})");
    const auto limited = [&](const char* folder, Arguments more) {
        more.insert(more.end(), {"--preset", preset, "-q"});
        expectSuccess(train(folder, more));
        return metricsOf(out(folder))["steps"].get<int>();
    };
    EXPECT_EQ(limited("given", {"--steps", "9"}), 9);
    EXPECT_EQ(limited("set", {"--set", "steps=9"}), 9);
    EXPECT_EQ(limited("in a file", {"--config", scratch.write("steps.json", R"({"steps": 9})")}), 9);
    EXPECT_EQ(limited("not given", {}), 5) << "one pass over five views";

    expectSuccess(train("not given", {"--resume", checkpoint("not given"), "--steps", "10", "-q"}));
    const json metrics = metricsOf(out("not given"));
    EXPECT_EQ(metrics["steps"], 10);
    EXPECT_EQ(metrics["settings"]["densify_until"], 2) << "as the first five steps had it: 5 of 30,000 steps, of which 15,000 densify";
}

TEST_F(Resume, ABudgetOfMebibytesIsTheCheckpoints) {
    expectSuccess(begin("run", {"--steps", "9", "--max-splats", "9000"}));
    expectFailure(train("other", {"--resume", checkpoint("run"), "--budget-mib", "1"}), 2, {"max_splats is '4425'", "expected '9000'"});
    expectSuccess(train("run", {"--resume", checkpoint("run"), "--budget-mib", "3"}));
}

TEST_F(Resume, WhatWouldMakeItAnotherRunIsRefused) {
    expectSuccess(begin("run", {"--steps", "9"}));
    const std::string file = checkpoint("run");
    const auto resume = [&](Arguments more) {
        more.insert(more.end(), {"--resume", file});
        return train("other", more);
    };
    expectFailure(resume({"--seed", "7"}), 2, {"seed is '7'", "expected '42'", file});
    expectFailure(resume({"--strategy", "fixed"}), 2, {"strategy is 'fixed'", "expected 'default'", file});
    expectFailure(resume({"--set", "sh_degree=1"}), 2, {"sh_degree is '1'", "expected '3'"});
    expectFailure(resume({"--steps", "8"}), 2, {"steps is 8", "at least 9"});
    EXPECT_FALSE(fs::exists(out("other")));

    const auto another = [&](const char* name, std::vector<std::string> synth) {
        synth.insert(synth.begin(), {"synth", out(name)});
        expectSuccess(splatwright(synth));
        return splatwright({"train", out(name), "-o", out("other"), "--resume", file, "--steps", "40"});
    };
    expectFailure(another("more", {"--views", "7", "--size", "32x24"}), 2, {out("more").string(), "views is 6", "expected 5", file});
    expectFailure(another("larger", {"--views", "6", "--size", "80x60"}), 2, {"0001.png", "80x60", "expected 32x24", file});
    EXPECT_FALSE(fs::exists(out("other")));
}

TEST_F(Resume, DamagedAndForeignCheckpointsAreRefused) {
    const auto resume = [&](const fs::path& file) { return train("other", {"--resume", file}); };
    expectFailure(resume("/none.splat-ckpt"), 2, {"/none.splat-ckpt", "No such file"});
    const fs::path png = scratch.path() / "picture.png";
    writePng(png, Image8(8, 8, 3));
    expectFailure(resume(png), 2, {png.string(), "PNG", "expected \"SPLATCKP\""});

    expectSuccess(begin("run", {"--steps", "5"}));
    std::string content = readTextFile(checkpoint("run"));
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    writeFileAtomically(checkpoint("run"), content);
    expectFailure(resume(checkpoint("run")), 2, {checkpoint("run").string(), "checksum", "expected", "damaged"});
    fs::resize_file(checkpoint("run"), content.size() / 2);
    expectFailure(resume(checkpoint("run")), 2, {checkpoint("run").string(), "truncated"});
    EXPECT_FALSE(fs::exists(out("other")));
}

TEST_F(Resume, AnotherRunsFolderIsNotOverwritten) {
    expectSuccess(begin("run", {"--steps", "5"}));
    expectSuccess(begin("another", {"--steps", "5"}));
    expectFailure(train("another", {"--resume", checkpoint("run"), "--steps", "6"}), 2, {out("another").string(), "--force"});
    expectSuccess(train("another", {"--resume", checkpoint("run"), "--steps", "6", "--force"}));
    EXPECT_EQ(metricsOf(out("another"))["steps"], 6);
}

}  // namespace
}  // namespace splat
