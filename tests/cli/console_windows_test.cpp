// What only Windows has: requests to end from programs without a common console, and names of devices.
#include <splatwright/scene/formats/ply.h>
#include "../scene/format_samples.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

TEST(RequestsToEnd, OfAnotherProgramSaveTheRun) {
    constexpr int kSteps = 100'000;  // more than are done before somebody asks
    const Scratch scratch;
    const fs::path data = tinyDataset(scratch), out = scratch.path() / "out";
    const fs::path config =
        scratch.write("config.json", fmt::format(R"({{"steps": {}, "log_every": 5, "init": "random", "init_count": 300}})", kSteps));
    const auto hasSteps = [&] { return fs::exists(out / "log.jsonl") && fs::file_size(out / "log.jsonl") > 0; };
    const Outcome stopped = splatwright({"train", data, "-o", out, "--config", config}, {.interruptWhen = hasSteps});
    EXPECT_EQ(stopped.code, 143) << stopped.err;
    expectParts(stopped.out, {"resume  "});
    const json metrics = metricsOf(out);
    EXPECT_GE(metrics["steps"], 5);
    EXPECT_LT(metrics["steps"], kSteps);
    EXPECT_GE(readPly(out / "splats.ply").count(), 300u);
}

TEST(NamesOfDevices, AreNoOutputs) {
    const Scratch scratch;
    const fs::path splats = scratch.write("a.ply", kSplatSamples.at("PLY")().back().content);
    for (const char* name : {"con.ply", "NUL.splat", "COM1.spz"})
        expectFailure(splatwright({"convert", splats, scratch.path() / name}), 2, {name, "keeps the name", "expected another name"});
    expectFailure(splatwright({"synth", scratch.path() / "aux", "--views", "3", "--size", "32x24"}), 2, {"aux", "keeps the name"});
}

}  // namespace
}  // namespace splat
