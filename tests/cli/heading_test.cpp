#include "run.h"

#include <algorithm>
#include <regex>
#include <set>

namespace splat {
namespace {

using namespace test;

/// What `train` says on standard error, with a pipe at its other end.
struct Heading : testing::Test {
    Outcome train(Arguments more = {}) const {
        Arguments arguments{"train", data, "-o", out, "--init", "random", "--set", "init_count=300"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments);
    }

    Scratch scratch;
    fs::path data = tinyDataset(scratch);
    fs::path out = scratch.path() / "out";
};

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// The index of the first line that has this in it; the number of lines where none has.
size_t lineWith(const std::vector<std::string>& lines, const std::string& part) {
    return static_cast<size_t>(std::ranges::find_if(lines, [&](const std::string& line) { return line.find(part) != std::string::npos; }) -
                               lines.begin());
}

json usedDevice() {
    const json info = json::parse(splatwright({"info", "--json"}).out);
    const auto& devices = info["devices"];
    return *std::ranges::find_if(devices, [](const json& device) { return device["used"].get<bool>(); });
}

TEST_F(Heading, NamesRunDeviceSettingsAndDatasetBeforeTheFirstStep) {
    const Outcome outcome = train({"--strategy", "mcmc", "--steps", "3"});
    expectSuccess(outcome);
    const auto lines = linesOf(outcome.err);
    const std::vector<std::string> inOrder{data.string() + ", results go to " + out.string(),
                                           "device: " + usedDevice()["name"].get<std::string>(),
                                           "settings: strategy=mcmc steps=3 init=random init_count=300 (others as by default)",
                                           "training views 5/5",
                                           "dataset: colmap, 5 views for training and 1 for testing, 32x24, ",
                                           "training 0/3  compiling kernels",
                                           "training 3/3"};
    for (size_t i = 0; i < inOrder.size(); ++i) {
        EXPECT_LT(lineWith(lines, inOrder[i]), lines.size()) << inOrder[i] << " in:\n" << outcome.err;
    }
    for (size_t i = 1; i < inOrder.size(); ++i) EXPECT_LT(lineWith(lines, inOrder[i - 1]), lineWith(lines, inOrder[i])) << outcome.err;
    EXPECT_EQ(lineWith(lines, inOrder[0]), 0u);
}

TEST_F(Heading, ACpuIsWarnedOfAndNothingElseIs) {
    const Outcome outcome = train({"--steps", "1"});
    const bool warned = outcome.err.find("warning: this device is a CPU") != std::string::npos;
    EXPECT_EQ(warned, usedDevice()["type"] == "cpu") << outcome.err;
}

TEST_F(Heading, QuietIsQuiet) {
    const Outcome outcome = train({"--steps", "1", "-q"});
    expectSuccess(outcome);
    EXPECT_EQ(outcome.err, "");
}

TEST_F(Heading, SizesAreThoseThatAreTrainedOn) {
    expectParts(train({"--steps", "1", "--downscale", "2", "--test-every", "0"}).err, {"6 views for training and 0 for testing, 16x12, "});
    json transforms = json::parse(readTextFile(data / "transforms.json"));
    transforms["frames"][1]["k1"] = -0.2;  // undistortion takes pixels off the border
    writeFileAtomically(data / "transforms.json", transforms.dump());
    fs::remove_all(data / "sparse");
    const Outcome mixed = train({"--steps", "1", "--force"});
    EXPECT_TRUE(std::regex_search(mixed.err, std::regex("dataset: transforms, .*, \\d+x\\d+ to \\d+x\\d+, "))) << mixed.err;
}

TEST_F(Heading, NoProgressLineOfAPipeComesTwice) {
    const Outcome outcome = train({"--steps", "8", "--eval-at", "2,4,6", "--checkpoint-every", "2"});
    expectSuccess(outcome);
    std::set<std::string> seen;
    const std::regex amount("^[a-z ]+ \\d+/\\d+");
    for (const std::string& line : linesOf(outcome.err)) {
        std::smatch found;
        if (!std::regex_search(line, found, amount)) continue;
        EXPECT_TRUE(seen.insert(found.str()).second) << outcome.err;
    }
    EXPECT_TRUE(seen.contains("training 8/8")) << outcome.err;
    expectParts(outcome.err, {"PSNR"});
}

TEST_F(Heading, TheFirstStepIsNotInAnyRate) {
    const Outcome outcome = train({"--steps", "6", "--set", "log_every=1"});
    expectSuccess(outcome);
    const auto log = logOf(out);
    ASSERT_EQ(log.size(), 6u);
    EXPECT_TRUE(log[0]["ms_per_step"].is_null());
    for (size_t i = 1; i < log.size(); ++i) EXPECT_GT(log[i]["ms_per_step"], 0);
    std::smatch rate;
    ASSERT_TRUE(std::regex_search(outcome.out, rate, std::regex("steps   6 in .* s \\(([0-9.]+) ms each after the first\\)")))
        << outcome.out;
    // Five steps of this rate leave time for the first one, which is no shorter than the others.
    EXPECT_LT(5 * std::stod(rate[1]), 0.98 * 1000 * metricsOf(out)["train_seconds"].get<double>());
    EXPECT_NEAR(std::stod(rate[1]), log[5]["ms_per_step"].get<double>(), 0.5 * std::stod(rate[1]));
}

TEST_F(Heading, AResumedRunSaysWhereItGoesOn) {
    expectSuccess(train({"--steps", "2"}));
    const Outcome resumed = train({"--steps", "4", "--resume", out / "checkpoint.splat-ckpt"});
    expectSuccess(resumed);
    expectParts(resumed.err, {"resuming after step 2 of 4", "training 2/4  compiling kernels", "training 4/4"});
}

}  // namespace
}  // namespace splat
