// The small suite of tests/bench reaches a PSNR per scene and preset. Gates lie at least three standard deviations below the mean of five seeds
// (tests/bench/README.md).
#include <map>

#include "run.h"

namespace splat {
namespace {

using namespace test;

const std::map<std::string, double> kLeastPsnr{{"toy/default", 24.3},    {"toy/mcmc", 22.7},    {"toy/budget", 23.6},
                                               {"garden/default", 21.1}, {"garden/mcmc", 11.0}, {"garden/budget", 20.6}};

// Five minutes, so test-all runs it.
TEST(SweepOfSuite, EveryPresetReachesItsPsnrOnEveryScene) {
    const Scratch scratch;
    const fs::path suite = fs::path(SPLAT_SHADERS).parent_path() / "tests/bench/suite_small.json", out = scratch.path() / "out";
    expectSuccess(splatwright({"bench", "train", suite, "-o", out, "--seeds", "1", "-q"}));
    const json results = json::parse(readTextFile(out / "suite.json"));
    for (const json& run : results["runs"]) {
        const std::string name = run["scene"].get<std::string>() + "/" + run["preset"].get<std::string>();
        ASSERT_TRUE(kLeastPsnr.contains(name)) << name;
        EXPECT_GE(run["figures"]["psnr"], kLeastPsnr.at(name)) << name;
    }
    EXPECT_EQ(results["runs"].size(), kLeastPsnr.size());
}

}  // namespace
}  // namespace splat
