#include "run.h"

namespace splat {
namespace {

using namespace test;

/// A strategy, what it is asked for beside the common settings, and what it must reach on views that it has not seen.
struct StrategyCase {
    const char* name;
    std::vector<std::string> settings;
    double psnr;
    int leastSplats, mostSplats;
};

void PrintTo(const StrategyCase& c, std::ostream* out) { *out << c.name; }

class Strategies : public testing::TestWithParam<StrategyCase> {};

/// From too few random gaussians, so that densification has to do the work; from a capacity that holds none more, so that it must grow.
TEST_P(Strategies, ReachAPictureInAHundredAndFiftySteps) {
    const Scratch scratch;
    const fs::path data = scratch.path() / "data", out = scratch.path() / "out";
    expectSuccess(splatwright({"synth", data, "--views", "16", "--size", "32x32", "--scene", "object", "-q"}));
    Arguments arguments{"train", data, "-o", out, "--strategy", GetParam().name, "--steps", "150", "--init", "random", "-q"};
    for (const char* setting : {"init_count=60", "densify_from=10", "densify_until=125", "densify_interval=10", "sh_degree_interval=50",
                                "random_background=false"})
        arguments.insert(arguments.end(), {"--set", setting});
    for (const std::string& setting : GetParam().settings) arguments.insert(arguments.end(), {"--set", setting});
    expectSuccess(splatwright(arguments));

    const json metrics = metricsOf(out);
    EXPECT_GE(metrics["psnr"], GetParam().psnr);
    EXPECT_GE(metrics["splats"], GetParam().leastSplats);
    EXPECT_LE(metrics["splats"], GetParam().mostSplats);
    EXPECT_EQ(metrics["waits_in_steps"], 0);
    EXPECT_EQ(metrics["repeated_steps"] > 0, GetParam().mostSplats > 60) << "growth goes through an overflow";
}

INSTANTIATE_TEST_SUITE_P(
    Table, Strategies,
    testing::Values(StrategyCase{"default", {"reset_every=75", "prune_opacity=0.005", "grow_grad2d=0.002"}, 18.5, 500, 1500},
                    StrategyCase{"mcmc", {"max_splats=400", "grow_factor=1.3", "init_scale=1"}, 15.7, 400, 400},
                    StrategyCase{"budget", {"max_splats=400"}, 16.5, 400, 400}, StrategyCase{"fixed", {}, 15, 60, 60}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace splat
