#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/gaussians/orbit_views.h>
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

/// Two splats of two colours in one place, whose order changes after the tenth frame.
TEST_F(View, PoppingIsFoundWhereTheOrderOfSplatsChanges) {
    const auto views = orbitViews({.centre = {0, 0, 0}, .radius = 1}, 7200, {48, 32}, {0, -1, 0});
    const auto forward = [&](size_t frame) { return glm::transpose(views[frame].camera.rotation)[2]; };
    const glm::dvec3 across = glm::normalize(glm::cross(forward(9) + forward(10), {0, -1, 0}));
    Gaussians g;
    g.resize(2, 0);
    for (size_t i = 0; i < 2; ++i) {
        g.means[i] = (i == 0 ? 0.05F : -0.05F) * glm::vec3(across);
        g.rotations[i] = {1, 0, 0, 0};
        g.logScales[i] = glm::vec3(-1);
        g.logitOpacities[i] = 3;
        g.sh[i] = i == 0 ? glm::vec3(1.5F, -1.5F, -1.5F) : glm::vec3(-1.5F, -1.5F, 1.5F);
    }
    splatWriterByName("ply").write(scratch.path() / "two.ply", g);
    const auto popping = [&](const fs::path& file) {
        const Outcome run = splatwright({"view", file, "--headless", "--frames", "1", "--size", "48x32", "--popping", "20", "--json"});
        expectSuccess(run);
        return json::parse(run.out).at("popping");
    };
    const json pops = popping(scratch.path() / "two.ply");
    EXPECT_EQ(pops.at("worst_frame"), 10);
    EXPECT_GT(pops.at("worst_flip"), 0.05);
    EXPECT_NEAR(pops.at("mean_flip").get<double>(), pops.at("worst_flip").get<double>() / 20, 0.01) << "nothing else changes";
    EXPECT_FALSE(
        json::parse(splatwright({"view", splats, "--headless", "--frames", "1", "--size", "48x32", "--json"}).out).contains("popping"));
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
