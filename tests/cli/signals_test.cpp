// Ctrl-C, SIGTERM and SIGHUP: what is saved, what is said and how the run goes on.
#include <sys/wait.h>
#include <array>

#include <splatwright/core/shell_quoted.h>
#include <splatwright/scene/formats/ply.h>
#include <splatwright/scene/images/image_file.h>
#include "../scene/format_samples.h"
#include "commands/interrupt.h"
#include "commands/train/resume_line.h"
#include "train_view.h"

namespace splat {
namespace {

using namespace test;

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};  // that StopRequests notes

/// What a shell prints for the line, and its exit code.
std::pair<int, std::string> inShell(const std::string& line) {
    const Scratch scratch;
    const fs::path said = scratch.path() / "said";
    const fs::path script = scratch.write("script", line + " > " + said.string());
    const int status = std::system(("bash " + script.string()).c_str());
    return {WEXITSTATUS(status), readTextFile(said)};
}

std::string lineAfter(const std::string& text, const std::string& label) {
    const size_t begin = text.find(label);
    return begin == std::string::npos ? "" : text.substr(begin + label.size(), text.find('\n', begin) - begin - label.size());
}

struct Signals : testing::TestWithParam<int> {
    static constexpr int kSteps = 60;  // more than 32 after those that are held

    Outcome train(const fs::path& folder, Arguments more, RunOptions options) const {
        Arguments arguments{"train", data, "-o", folder, "--config", config, "--hold-at", "5"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments, options);
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch, "it's a \"set\" & $HOME");
    fs::path config =
        scratch.write("config.json", fmt::format(R"({{"steps": {}, "log_every": 5, "init": "random", "init_count": 300}})", kSteps));
};

TEST_P(Signals, SaveTheRunAndSayHowItGoesOn) {
    const fs::path out = scratch.path() / "out put";
    const Outcome stopped =
        train(out, {"--seed", "7", "--eval-at", "58", "--set", "sh_degree=1", "--force", "-v", "--images", data / "images"},
              {.whenHeld = [](pid_t run) { kill(run, GetParam()); }});
    EXPECT_EQ(stopped.code, 128 + GetParam()) << stopped.err;
    const json metrics = metricsOf(out);
    EXPECT_GE(metrics["steps"], 5);
    EXPECT_LT(metrics["steps"], kSteps);
    EXPECT_EQ(readPly(out / "splats.ply").count(), 300u);
    EXPECT_FALSE(fs::exists(out / "strip.png"));

    const auto [code, said] = inShell(lineAfter(stopped.out, "resume  "));
    EXPECT_EQ(code, 0) << stopped.out << said;
    const json whole = metricsOf(out);
    EXPECT_EQ(whole["steps"], kSteps);
    EXPECT_EQ(whole["settings"], metrics["settings"]);
    EXPECT_EQ(whole["resumed_from"], json::array({metrics["steps"]}));
    for (const json& line : logOf(out)) EXPECT_EQ(line.contains("psnr"), line["step"] == 58 || line["step"] == kSteps) << line;
}

INSTANTIATE_TEST_SUITE_P(All, Signals, testing::Values(SIGINT, SIGTERM, SIGHUP),
                         [](const auto& test) { return std::string(sigabbrev_np(test.param)); });

/// nohup ignores SIGHUP for the program that it starts, and a shell SIGINT for one in the background.
TEST_F(Signals, ThatWereIgnoredAtTheStartStayIgnored) {
    const auto ignoring = [] {
        for (const int signal : kSignals) std::signal(signal, SIG_IGN);
    };
    const auto sendAll = [](pid_t run) {
        for (const int signal : kSignals) kill(run, signal);
    };
    const fs::path out = scratch.path() / "out";
    expectSuccess(train(out, {}, {.whenHeld = sendAll, .inChild = ignoring}));
    EXPECT_EQ(metricsOf(out)["steps"], kSteps);
}

TEST_F(Signals, LeaveNoHalfDataset) {
    const fs::path out = scratch.path() / "synth" / "set";
    const auto begun = [&] { return fs::exists(out.parent_path()) && !fs::is_empty(out.parent_path()); };
    const Outcome stopped = splatwright({"synth", out, "--views", "10000", "--size", "64x48"}, {.interruptWhen = begun, .signal = SIGTERM});
    EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
    EXPECT_TRUE(fs::is_empty(out.parent_path()));
}

TEST_F(Signals, LeaveWholePictures) {
    const fs::path splats = scratch.write("a.ply", kSplatSamples.at("PLY")().back().content), out = scratch.path() / "pictures";
    const auto begun = [&] { return fs::exists(out / "orbit_0002.png"); };
    const Outcome stopped =
        splatwright({"render", splats, "--orbit", "10000", "--size", "64x48", "-o", out}, {.interruptWhen = begun, .signal = SIGTERM});
    EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.err;
    size_t pictures = 0;
    for (const auto& entry : fs::directory_iterator(out)) {
        EXPECT_EQ(readImage(entry.path()).width, 64) << entry.path();
        ++pictures;
    }
    EXPECT_GE(pictures, 3u);
    expectParts(stopped.out, {fmt::format("{} pictures of 10000, interrupted", pictures)});
}

/// How a process ends that does this.
int statusOf(const std::function<void()>& act) {
    const pid_t child = fork();
    if (child == 0) {
        for (const int signal : kSignals) std::signal(signal, SIG_DFL);
        act();
        _exit(77);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

constexpr auto kLonger = std::chrono::milliseconds(1100);  // than two presses of one impatient hand

TEST(Interrupt, ThrowsTheExitCodeOfTheFirstSignal) {
    for (const int signal : kSignals) {
        EXPECT_EQ(statusOf([&] {
                      const app::Interrupt interrupt;
                      interrupt.check();
                      std::raise(signal);
                      for (const int later : kSignals) std::raise(later);
                      try {
                          interrupt.check();
                      } catch (const app::Interrupted& stop) {
                          _exit(static_cast<int>(stop.exit));
                      }
                  }),
                  128 + signal);
    }
}

TEST(Interrupt, OnlyALaterCtrlCEndsTheProcessAtOnce) {
    const auto twice = [](int signal, bool wait) {
        return statusOf([&] {
            const app::Interrupt interrupt;
            std::raise(SIGINT);
            if (wait) std::this_thread::sleep_for(kLonger);
            std::raise(signal);
        });
    };
    EXPECT_EQ(twice(SIGINT, false), 77);
    EXPECT_EQ(twice(SIGTERM, true), 77);
    EXPECT_EQ(twice(SIGINT, true), 128 + SIGINT);
}

TEST(Interrupt, GivesSignalsBackAtTheEnd) {
    EXPECT_EQ(statusOf([] {
                  { const app::Interrupt interrupt; }
                  std::raise(SIGTERM);
              }),
              128 + SIGTERM);
}

TEST(ResumeLine, QuotesForAShell) {
    EXPECT_EQ(shellQuoted("build/release-2/run_1.ply"), "build/release-2/run_1.ply");
    for (const std::string word : {"", "a b", "it's", "$HOME", "`id`", "\"", "\\", "*", "a;b", "~", "#", "!", "tab\there", "line\nbreak",
                                   "\x1b[31mred", "caf\xc3\xa9", "\xff\xfe", "-x", "'\\''"}) {
        const std::string quoted = shellQuoted(word);
        EXPECT_EQ(inShell("printf %s " + quoted + " x"), std::pair(0, word + "x")) << quoted;
        for (const char c : quoted) EXPECT_TRUE(c >= ' ' && c <= '~') << quoted;
    }
}

TEST_F(TrainView, SavesForEverySignalAndSaysHowToGoOn) {
    for (const int signal : {SIGTERM, SIGHUP}) {
        fs::remove_all(out);
        const Outcome run =
            trainInView({"--steps", "100000", "--set", "log_every=5"}, [&] { return logLines() >= 2; }, false, {.signal = signal});
        EXPECT_EQ(run.code, 128 + signal) << run.err;
        expectParts(run.out, {"interrupted", "resume  ", " --view", "--resume " + (out / "checkpoint.splat-ckpt").string()});
        EXPECT_EQ(metricsOf(out).at("steps"), stepInCheckpoint());
    }
}

}  // namespace
}  // namespace splat
