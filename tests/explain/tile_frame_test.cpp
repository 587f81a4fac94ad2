#include <splatwright/explain/tile_frame.h>

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "explain/explained_scene.h"
#include "reference/render.h"

namespace splat::explain {
namespace {

std::vector<reference::Projected> projectedByReference(const ExplainedScene& scene) {
    const reference::Settings settings{.shDegree = scene.scene.gaussians.shDegree, .background = scene.background};
    return reference::projectAll(reference::fromGaussians(scene.scene.gaussians), scene.scene.camera, settings);
}

std::vector<uint32_t> gaussiansOf(const TileFrame& tile) {
    std::vector<uint32_t> gaussians;
    for (const ListedSplat& listed : tile.list()) gaussians.push_back(listed.gaussian);
    return gaussians;
}

/// The largest alpha of a splat at the tile's pixels in the picture.
double largestAlpha(const reference::Projected& splat, const TileFrame& tile) {
    double largest = 0;
    const glm::uvec2 begin = tile.tile().tile() * kTileSize, end = glm::min(begin + kTileSize, tile.size());
    for (uint32_t y = begin.y; y < end.y; ++y) {
        for (uint32_t x = begin.x; x < end.x; ++x) {
            const glm::dvec2 d = splat.mean - (glm::dvec2(x, y) + 0.5);
            const double power = -0.5 * (splat.conic.x * d.x * d.x + splat.conic.z * d.y * d.y) - splat.conic.y * d.x * d.y;
            largest = std::max(largest, splat.opacity * std::exp(power));
        }
    }
    return largest;
}

class TileLists : public testing::TestWithParam<std::string> {};

TEST_P(TileLists, HoldWhatTheTilesPixelsShow) {
    const ExplainedScene scene(GetParam());
    const auto projected = projectedByReference(scene);
    for (const glm::uvec2 pixel : scene.somePixels()) {
        const TileFrame tile = scene.at(pixel);
        const auto listed = gaussiansOf(tile);
        const std::set<uint32_t> found(listed.begin(), listed.end());
        EXPECT_EQ(found.size(), listed.size()) << "a splat is listed twice";
        for (uint32_t i = 0; i < projected.size(); ++i) {
            if (!projected[i].visible) {
                EXPECT_FALSE(found.contains(i)) << i;
                continue;
            }
            const double alpha = largestAlpha(projected[i], tile);
            if (alpha > 1.001 / 255) {
                EXPECT_TRUE(found.contains(i)) << i << " has an alpha of " << alpha;
            }
            if (alpha < 0.9 / 255) {
                EXPECT_FALSE(found.contains(i)) << i << " has an alpha of " << alpha;
            }
        }
    }
}

TEST_P(TileLists, AreFrontToBackAsTheReferenceOrdersThem) {
    const ExplainedScene scene(GetParam());
    const auto order = reference::depthOrder(projectedByReference(scene));
    std::vector<size_t> rank(scene.scene.gaussians.count());
    for (size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    for (const glm::uvec2 pixel : scene.somePixels()) {
        const auto listed = gaussiansOf(scene.at(pixel));
        EXPECT_TRUE(std::ranges::is_sorted(listed, {}, [&](uint32_t gaussian) { return rank[gaussian]; }));
    }
}

/// Emission is in the order of depths, and the tile sort is stable.
TEST_P(TileLists, AreThoseThatWereEmittedInTheirOrder) {
    const ExplainedScene scene(GetParam());
    for (const glm::uvec2 pixel : scene.somePixels()) {
        const TileFrame tile = scene.at(pixel);
        std::vector<uint32_t> emitted;
        for (const shared::EmittedInstance& instance : tile.emitted()) emitted.push_back(instance.gaussian);
        EXPECT_EQ(emitted, gaussiansOf(tile));
        if (!tile.emitted().empty()) {
            EXPECT_LT(tile.emitted().back().place, tile.instances());
        }
        EXPECT_LE(tile.tile().begin + tile.list().size(), tile.instances());
    }
}

TEST_P(TileLists, HaveTheProjectedSplats) {
    const ExplainedScene scene(GetParam());
    const auto projected = projectedByReference(scene);
    const TileFrame tile = scene.at(scene.centre());
    for (const ListedSplat& listed : tile.list()) {
        const reference::Projected& expected = projected[listed.gaussian];
        for (const int k : {0, 1}) EXPECT_NEAR(listed.splat.mean[k], expected.mean[k], 1e-3) << listed.gaussian;
        for (const int k : {0, 1, 2}) {
            EXPECT_NEAR(listed.splat.conic[k], expected.conic[k], 1e-4 * std::abs(expected.conic[k]) + 1e-5) << listed.gaussian;
            EXPECT_NEAR(listed.splat.colour[k], expected.colour[k], 1e-4) << listed.gaussian;
        }
        EXPECT_NEAR(listed.splat.opacity, expected.opacity, 1e-5) << listed.gaussian;
        EXPECT_NEAR(listed.splat.depth, expected.depth, 1e-5 * expected.depth) << listed.gaussian;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, TileLists, testing::Values("mixed", "elongated", "equalDepths", "crowdedTile", "tinyImage"),
                         [](const auto& p) { return p.param; });

/// As a viewer draws, whose projection is its own.
TEST(TileFrame, IsTheSameByAProjectionFromElsewhere) {
    const ExplainedScene scene("mixed");
    const TileFrame expected = scene.at(scene.centre());
    const gpu::Buffer views = testDevice().buffer<shared::ViewParameters>("view", 1);
    testDevice().upload(views, std::vector{viewParameters(scene.scene.camera)});
    uint32_t drawn = 0;
    const TileFrame tile(testDevice(), testSort(),
                         {.gaussians = scene.model,
                          .parameters = expected.parameters(),
                          .recordProjection =
                              [&](gpu::Commands& c, const PictureJob& job) {
                                  ++drawn;
                                  const ViewSelection view{views, 0, scene.size().x, scene.size().y};
                                  scene.model.kind.row->recordProjection(c, {job.model, job.frame, view, {}});
                              }},
                         scene.size(), scene.centre());
    EXPECT_GE(drawn, 1u);
    ASSERT_FALSE(tile.list().empty());
    EXPECT_EQ(gaussiansOf(tile), gaussiansOf(expected));
    const size_t pixels = size_t{scene.size().x} * scene.size().y;
    EXPECT_EQ(testDevice().download<glm::vec3>(tile.frame().colours, pixels),
              testDevice().download<glm::vec3>(expected.frame().colours, pixels));
}

TEST(TileFrame, RefusesAPixelOutsideThePicture) {
    const ExplainedScene scene("mixed");
    EXPECT_THROW(scene.at(glm::uvec2(scene.size().x, 0)), InputError);
    EXPECT_THROW(scene.at(glm::uvec2(0, scene.size().y)), InputError);
}

/// Splats as large as the picture: more instances than the frame has at first.
TEST(TileFrame, GrowsUntilAllInstancesFit) {
    reference::Scene large = reference::makeMixedScene(60, 240, 160, 3);
    for (glm::vec3& scale : large.gaussians.logScales) scale += 3.0f;
    const ExplainedScene scene(std::move(large));
    const TileFrame tile = scene.at(scene.centre());
    EXPECT_GT(tile.instances(), 4 * scene.model.capacity);
    EXPECT_EQ(tile.emitted().size(), tile.list().size());
    EXPECT_GT(tile.list().size(), 30u);
}

}  // namespace
}  // namespace splat::explain
