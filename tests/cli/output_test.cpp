// What becomes of results where standard output or a file's place does not take them.
#include <splatwright/scene/datasets/dataset.h>
#include "run.h"

namespace splat {
namespace {

using namespace test;

struct OutputCase {
    const char* name;
    std::function<void()> inChild;
    const char* problem;
};

void intoFullDevice() { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); }

void intoPipeWithoutReader() {
    int ends[2] = {};
    if (pipe(ends) != 0) _exit(126);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
}

class BrokenOutput : public testing::TestWithParam<OutputCase> {
protected:
    Outcome run(const Arguments& arguments) const { return splatwright(arguments, {.inChild = GetParam().inChild}); }
    std::string said() const { return std::string("standard output: cannot be written: ") + GetParam().problem; }
};

TEST_P(BrokenOutput, IsAnError) {
    expectFailure(run({"--version"}), 1, {said()});
    expectFailure(run({"train", "--help"}), 1, {said()});
    expectFailure(run({"info", "--json"}), 1, {said()});
    expectFailure(run({"synth", "", "--views", "0"}), 2, {"--views"});  // usage is wrong whatever else is
}

TEST_P(BrokenOutput, LosesNoWork) {
    const Scratch scratch;
    const fs::path data = scratch.path() / "data", out = scratch.path() / "out";
    expectFailure(run({"synth", data, "--views", "4", "--size", "64x48", "-q"}), 1, {said()});
    EXPECT_EQ(loadDataset(data).views.size(), 4u);
    expectFailure(run({"train", data, "-o", out, "--steps", "2", "--init", "random", "--set", "init_count=100", "-q"}), 1, {said()});
    EXPECT_EQ(metricsOf(out)["steps"], 2);
    for (const char* file : {"splats.ply", "log.jsonl", "strip.png", "checkpoint.splat-ckpt"}) EXPECT_TRUE(fs::exists(out / file)) << file;
}

INSTANTIATE_TEST_SUITE_P(All, BrokenOutput,
                         testing::Values(OutputCase{"FullDevice", intoFullDevice, "No space left on device"},
                                         OutputCase{"PipeWithoutReader", intoPipeWithoutReader, "Broken pipe"},
                                         OutputCase{"Closed", [] { close(STDOUT_FILENO); }, "Bad file descriptor"}),
                         [](const auto& test) { return std::string(test.param.name); });

/// With a standard stream closed, the first file that is opened would get its descriptor, and what is printed.
TEST(Output, NoFileTakesThePlaceOfAClosedStream) {
    const Scratch scratch;
    const fs::path data = tinyDataset(scratch);
    std::vector<fs::path> streams;
    const auto look = [&](pid_t run) {
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            streams.push_back(fs::read_symlink(fmt::format("/proc/{}/fd/{}", run, stream)));
    };
    const auto closeAll = [] {
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
    };
    const Outcome run = splatwright(
        {"train", data, "-o", scratch.path() / "out", "--steps", "2", "--init", "random", "--set", "init_count=100", "--hold-at", "1"},
        {.whenHeld = look, .inChild = closeAll});
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(streams, std::vector<fs::path>(3, "/dev/null"));
}

TEST(Output, ResultsGoToStandardOutputByItsName) {
    const Outcome outcome = splatwright({"bench", "scan", "--n", "3000", "--json", "/dev/stdout"});
    expectSuccess(outcome);
    EXPECT_FALSE(json::parse(outcome.out.substr(outcome.out.find("{\n")))["rows"].empty());
    expectParts(outcome.out, {"median ms"});
}

}  // namespace
}  // namespace splat
