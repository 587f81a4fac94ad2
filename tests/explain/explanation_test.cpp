#include <splatwright/explain/explanation.h>

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/explain/explanation_json.h>
#include "explain/explained_scene.h"

namespace splat::explain {
namespace {

using nlohmann::ordered_json;

Photograph noise(const reference::Scene& scene) {
    Photograph photograph{.name = "noise.png", .camera = scene.camera, .image = Image8(scene.camera.width, scene.camera.height, 3)};
    std::mt19937 random(5);
    for (uint8_t& value : photograph.image.pixels) value = static_cast<uint8_t>(random());
    return photograph;
}

Explanation explained(const ExplainedScene& scene, glm::uvec2 pixel) {
    return explain(testDevice(), testSort(), {scene.model, scene.scene.gaussians.shDegree, scene.background}, noise(scene.scene), pixel);
}

class Explanations : public testing::TestWithParam<std::string> {};

TEST_P(Explanations, NameSplatsByTheirPlaceInTheList) {
    const ExplainedScene scene(GetParam());
    const ordered_json found = toJson(explained(scene, scene.centre()));
    std::vector<size_t> places(found["splats"].size());
    std::iota(places.begin(), places.end(), size_t{0});
    ASSERT_GT(places.size(), 3u);
    EXPECT_EQ(found["radix"]["passes"].back()["after"], ordered_json(places));
    for (size_t i = 0; i < places.size(); ++i) EXPECT_EQ(found["emitted"][i][1], i);
    const ordered_json& ranks = found["bitonic"]["ranks"].back();
    for (size_t i = 0; i + 1 < ranks.size(); ++i) EXPECT_LE(ranks[i], ranks[i + 1]);
    EXPECT_EQ(found["blend"]["steps"].size(), places.size());
    EXPECT_TRUE(found["blend"]["equal_bits"]);
}

/// A text keeps the bits of floats: the tree's sum is what its method adds.
TEST_P(Explanations, KeepTheBitsOfGradients) {
    const ExplainedScene scene(GetParam());
    const Explanation e = explained(scene, scene.centre());
    const ordered_json backward = ordered_json::parse(toJson(e).dump())["backward"];  // NOLINT: a text of our own
    ASSERT_GT(backward["trees"].size(), 1u);
    for (const ordered_json& method : backward["methods"]) {
        if (method["name"] != "tree-cas") continue;
        for (size_t i = 0; i < backward["trees"].size(); ++i) {
            EXPECT_EQ(method["sums"][i], backward["trees"][i]["levels"].back());
            for (uint32_t word = 0; word < kTracedWords; ++word)
                EXPECT_EQ(method["sums"][i][word].get<float>(), e.backward.trees[i].levels.back()[word]);
        }
    }
}

/// The trees are of the splats that the pixel shows most, and the masks have a bit per pixel where a splat is blended.
TEST_P(Explanations, ShowWhatThePixelShowsMost) {
    const ExplainedScene scene(GetParam());
    const Explanation e = explained(scene, scene.centre());
    float least = 1, others = 0;
    for (const TreeTrace& tree : e.backward.trees) least = std::min(least, e.look.blend.steps[tree.place].weight);
    for (uint32_t place = 0; place < e.look.blend.steps.size(); ++place) {
        if (std::ranges::find(e.backward.trees, place, &TreeTrace::place) == e.backward.trees.end())
            others = std::max(others, e.look.blend.steps[place].weight);
    }
    EXPECT_GE(least, others);
    const ordered_json active = toJson(e)["backward"]["active"];
    const glm::uvec2 local = e.look.tile.pixel % kTileSize;
    const uint32_t thread = local.y * kTileSize + local.x;
    for (size_t place = 0; place < active.size(); ++place) {
        const std::string mask = active[place];
        ASSERT_EQ(mask.size(), shared::kTilePixels / 4);
        const int digit = std::stoi(mask.substr(thread / 4, 1), nullptr, 16);
        EXPECT_EQ((digit >> (3 - thread % 4) & 1) != 0, e.look.blend.steps[place].outcome == shared::kIsBlended) << place;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Explanations, testing::Values("mixed", "crowdedTile"), [](const auto& p) { return p.param; });

}  // namespace
}  // namespace splat::explain
