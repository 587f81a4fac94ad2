#include "../scene/format_samples.h"

#include "run.h"

namespace splat {
namespace {

using namespace test;

struct View : testing::Test {
    const Scratch scratch;
    const fs::path splats = scratch.write("a.ply", kSplatSamples.at("PLY")().back().content);
};

TEST_F(View, WithoutAWindowFramesAreMeasured) {
    const Outcome run = splatwright({"view", splats, "--headless", "--frames", "7", "--size", "48x32", "--json"});
    expectSuccess(run);
    const json found = json::parse(run.out);
    EXPECT_EQ(found.at("frames"), 7);
    EXPECT_EQ(found.at("repeated_frames"), 0);
    EXPECT_GE(found.at("median_ms").get<double>(), found.at("min_ms").get<double>());
    EXPECT_LE(found.at("median_ms").get<double>(), found.at("max_ms").get<double>());
    double sum = 0;
    for (const auto& [stage, milliseconds] : found.at("stages").items()) sum += milliseconds.get<double>();
    EXPECT_GE(sum, found.at("min_ms").get<double>());
    EXPECT_LE(sum, found.at("max_ms").get<double>());
    EXPECT_GT(found.at("visible"), 0);
}

TEST_F(View, TheTableNamesEveryStage) {
    const Outcome run = splatwright({"view", splats, "--headless", "--frames", "2", "--size", "48x32"});
    expectSuccess(run);
    expectParts(run.out, {"2 frames", "project", "compact", "depth sort", "emit", "tile sort", "blend", "finish"});
}

TEST_F(View, SeveralModelsAreDrawnTogetherAsAnyPicture) {
    const Outcome run =
        splatwright({"view", splats, splats, "--headless", "--frames", "3", "--size", "48x32", "--picture", "ellipsoids", "--json"});
    expectSuccess(run);
    const json alone = json::parse(splatwright({"view", splats, "--headless", "--frames", "3", "--size", "48x32", "--json"}).out);
    EXPECT_EQ(json::parse(run.out).at("splats"), 2 * alone.at("splats").get<int>());
}

TEST_F(View, MistakesAreNamed) {
    expectParts(splatwright({"view", scratch.path() / "none.ply", "--headless"}).err, {"none.ply"});
    expectParts(splatwright({"view", splats, "--headless", "--size", "wide"}).err, {"--size", "wide"});
    expectParts(splatwright({"view", splats, "--headless", "--picture", "colours"}).err, {"colours", "ellipsoids"});
    expectParts(splatwright({"view", splats, "--headless", "--frames", "1", "--render-mode", "error"}).err,
                {"--render-mode error", "ground truth"});
    expectParts(splatwright({"view", splats, "--headless", "--frames", "3", "--size", "48x32", "--capture", "4"}).err,
                {"--capture", "found 4", "1 to 3"});
}

}  // namespace
}  // namespace splat
