#include <splatwright/explain/tile_backward.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "explain/explained_scene.h"
#include "reference/gradients.h"

namespace splat::explain {
namespace {

constexpr uint32_t kRow = shared::kGradientWords, kThreads = shared::kTilePixels;

/// A tile of a scene, and random gradients of the picture's colours, up to a bound.
struct Explained {
    explicit Explained(reference::Scene made, bool clamp = false, float bound = 1)
        : scene(std::move(made)),
          tile(scene.at(scene.centre())),
          gradients(randomGradients(bound)),
          buffer(upload()),
          backward(tile, buffer, clamp) {}
    explicit Explained(const std::string& name, bool clamp = false, float bound = 1)
        : Explained(reference::makeScene(name, 7), clamp, bound) {}

    std::vector<glm::vec3> randomGradients(float bound) const {
        std::mt19937 random(11);
        std::uniform_real_distribution<float> uniform(-bound, bound);
        std::vector<glm::vec3> values(size_t{scene.size().x} * scene.size().y);
        for (glm::vec3& value : values) value = {uniform(random), uniform(random), uniform(random)};
        return values;
    }
    gpu::Buffer upload() const {
        gpu::Buffer to = testDevice().buffer<glm::vec3>("colour gradients", gradients.size());
        testDevice().upload(to, gradients);
        return to;
    }
    /// Of the splats of the list: words of the reference's gradient by the tile's pixels alone.
    std::vector<double> expectedSums() const {
        reference::PictureGradient picture{.colour = Image<double>(scene.scene.camera.width, scene.scene.camera.height, 3),
                                           .transmittance = {}};
        for (uint32_t y = 0; y < scene.size().y; ++y) {
            for (uint32_t x = 0; x < scene.size().x; ++x) {
                if (glm::uvec2(x, y) / kTileSize != tile.tile().tile()) continue;
                const size_t pixel = size_t{y} * scene.size().x + x;
                for (size_t k = 0; k < 3; ++k) picture.colour.pixels[3 * pixel + k] = gradients[pixel][static_cast<glm::length_t>(k)];
            }
        }
        const reference::Settings settings{.shDegree = scene.scene.gaussians.shDegree, .background = scene.background};
        const auto projected = reference::projectAll(reference::fromGaussians(scene.scene.gaussians), scene.scene.camera, settings);
        const auto found = reference::blendBackward(projected, settings, picture).projected;
        std::vector<double> words;
        for (uint32_t place = 0; place < tile.tile().reached; ++place) {
            const reference::ProjectedGradient& g = found[tile.list()[place].gaussian];
            words.insert(words.end(), {g.mean.x, g.mean.y, g.conic.x, g.conic.y, g.conic.z, g.opacity, g.colour.x, g.colour.y, g.colour.z});
        }
        return words;
    }
    float sum(uint32_t place, uint32_t word) const { return backward.sums()[place * kRow + word]; }
    uint32_t activePixels() const {
        return static_cast<uint32_t>(std::ranges::count_if(backward.weights(), [](float weight) { return weight > 0; }));
    }

    ExplainedScene scene;
    TileFrame tile;
    std::vector<glm::vec3> gradients;
    gpu::Buffer buffer;
    TileBackward backward;
};

const MethodTrace& named(const std::vector<MethodTrace>& traces, std::string_view name) {
    return *std::ranges::find(traces, name, &MethodTrace::name);
}

class TileGradients : public testing::TestWithParam<std::string> {};

TEST_P(TileGradients, SumToTheReferencesGradientOfTheTile) {
    const Explained e(GetParam());
    const std::vector<double> expected = e.expectedSums();
    ASSERT_GT(e.tile.tile().reached, 3u);
    for (uint32_t word = 0; word < kTracedWords; ++word) {
        double difference = 0, norm = 0;
        for (uint32_t place = 0; place < e.tile.tile().reached; ++place) {
            const double value = expected[place * kTracedWords + word];
            difference += std::pow(e.sum(place, word) - value, 2);
            norm += value * value;
        }
        EXPECT_LE(std::sqrt(difference), 1e-3 * std::sqrt(norm)) << "word " << word;
    }
}

/// What an update uses of this tile: to the last bit, because the trace's kernel and the method's have one walk and one tree.
TEST_P(TileGradients, AreTheBitsThatTheTreesMethodAdds) {
    const Explained e(GetParam());
    const auto methods = e.backward.methods();
    const MethodTrace& tree = named(methods, "tree-cas");
    for (uint32_t place = 0; place < e.tile.tile().reached; ++place) {
        for (uint32_t word = 0; word < kTracedWords; ++word)
            EXPECT_EQ(tree.gradients[place * kTracedWords + word], e.sum(place, word)) << place << ", word " << word;
    }
}

TEST_P(TileGradients, AddUpPairByPairInTheTree) {
    const Explained e(GetParam());
    const uint32_t place = e.tile.tile().reached / 2;
    const TreeTrace tree = e.backward.tree(place);
    ASSERT_EQ(tree.levels.size(), 9u);
    EXPECT_EQ(tree.levels[0], tree.unclamped);
    for (size_t level = 0; level + 1 < tree.levels.size(); ++level) {
        const size_t threads = kThreads >> level, half = threads / 2;
        for (size_t word = 0; word < kTracedWords; ++word) {
            for (size_t thread = 0; thread < half; ++thread)
                EXPECT_EQ(tree.levels[level + 1][word * half + thread],
                          tree.levels[level][word * threads + thread] + tree.levels[level][word * threads + thread + half]);
        }
    }
    for (uint32_t word = 0; word < kTracedWords; ++word) EXPECT_EQ(tree.levels.back()[word], e.sum(place, word));
}

TEST_P(TileGradients, AreTheSameByEveryMethod) {
    const Explained e(GetParam());
    const auto methods = e.backward.methods();
    EXPECT_EQ(methods.size() + 1, accumulationTable().size()) << "all but bucket";
    double norm = 0;
    for (uint32_t place = 0; place < e.tile.tile().reached; ++place) norm += std::pow(e.sum(place, 5), 2);
    for (const MethodTrace& method : methods) {
        double difference = 0;
        for (uint32_t place = 0; place < e.tile.tile().reached; ++place)
            difference += std::pow(method.gradients[place * kTracedWords + 5] - e.sum(place, 5), 2);
        EXPECT_LE(std::sqrt(difference), 1e-4 * std::sqrt(norm)) << method.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, TileGradients, testing::Values("mixed", "translucent", "crowdedTile"),
                         [](const auto& p) { return p.param; });

/// A splat in no other tile has its whole gradient from this one.
TEST(TileBackward, HasTheWholeGradientOfSplatsInNoOtherTile) {
    reference::Scene small = reference::makeMixedScene(400, 64, 48, 3);
    for (glm::vec3& scale : small.gaussians.logScales) scale -= 2.5f;
    const Explained e(std::move(small));
    gpu::Device& device = testDevice();
    const AccumulationRow& row = accumulationByName("tree-cas");
    gpu::Arena transient = e.tile.frame().transient();
    const BackwardBuffers buffers(device, e.tile.frame().capacity, row, transient);
    const ViewSelection view = e.tile.view();
    const BackwardJob job{.model = e.scene.model, .frame = e.tile.frame(), .buffers = buffers, .view = view, .colourGradients = e.buffer};
    device.run("backward", [&](gpu::Commands& c) { recordBackward(device, c, row, job); });
    const auto gradients = device.download<float>(buffers.gradients.words(), size_t{shared::kGradientRow} * e.scene.model.capacity);
    const auto tiles = device.download<uint32_t>(e.tile.frame().tileCounts, e.scene.model.capacity);
    size_t compared = 0;
    for (uint32_t place = 0; place < e.tile.tile().reached; ++place) {
        const uint32_t gaussian = e.tile.list()[place].gaussian;
        if (tiles[gaussian] != 1) continue;
        ++compared;
        for (uint32_t word = 0; word < kTracedWords; ++word)
            EXPECT_EQ(gradients[size_t{gaussian} * shared::kGradientRow + word], e.sum(place, word)) << gaussian << ", word " << word;
    }
    EXPECT_GT(compared, 5u);
}

/// As many tiles as the picture has: what an update reads is not of one of them.
TEST(TileBackward, AddsUpAllTilesForAnUpdate) {
    const Explained e("mixed");
    const auto whole = e.backward.gradients({.row = &accumulationByName("tree-cas")});
    const auto methods = e.backward.methods();
    const MethodTrace& own = named(methods, "tree-cas");
    ASSERT_EQ(whole.size(), own.gradients.size());
    EXPECT_NE(whole, own.gradients);
    const auto tiles = testDevice().download<uint32_t>(e.tile.frame().tileCounts, e.scene.model.capacity);
    for (uint32_t place = 0; place < e.tile.list().size(); ++place) {
        if (tiles[e.tile.list()[place].gaussian] != 1) continue;
        for (uint32_t word = 0; word < kTracedWords; ++word)
            EXPECT_EQ(whole[place * kTracedWords + word], own.gradients[place * kTracedWords + word]) << place;
    }
    const auto bySubtiles = e.backward.gradients({.row = &accumulationByName("subtile")});
    double difference = 0, norm = 0;
    for (size_t i = 0; i < whole.size(); ++i) {
        difference += std::pow(static_cast<double>(bySubtiles[i]) - static_cast<double>(whole[i]), 2);
        norm += std::pow(static_cast<double>(whole[i]), 2);
    }
    EXPECT_LE(difference, 1e-8 * norm);
}

TEST(TileBackward, ClampsTheLeavesOfTheTree) {
    const Explained e("translucent", true, 1000);
    uint32_t clamped = 0;
    for (uint32_t place = 0; place < e.tile.tile().reached; ++place) {
        const TreeTrace tree = e.backward.tree(place);
        for (size_t i = 0; i < tree.unclamped.size(); ++i) {
            EXPECT_EQ(tree.levels[0][i], std::clamp(tree.unclamped[i], -10.0f, 10.0f));
            clamped += tree.levels[0][i] != tree.unclamped[i] ? 1u : 0u;
        }
    }
    EXPECT_GT(clamped, 100u);
}

/// Additions of this tile: one per active pixel and word, one per splat and word of the tree, and between for sums over parts of a tile.
TEST(TileBackward, CountsTheAdditionsOfTheTile) {
    const Explained e("translucent");
    const auto methods = e.backward.methods();
    const uint64_t each = uint64_t{kTracedWords} * e.activePixels();
    EXPECT_EQ(named(methods, "atomic").additions, each);
    EXPECT_EQ(named(methods, "cas").additions, each);
    uint64_t splats = 0;
    for (uint32_t place = 0; place < e.tile.tile().reached; ++place) splats += e.sum(place, 6) != 0 ? 1u : 0u;
    EXPECT_EQ(named(methods, "tree-cas").additions, kTracedWords * splats);
    const uint64_t subtile = named(methods, "subtile").additions.value();
    EXPECT_GE(subtile, kTracedWords * splats);
    EXPECT_LE(subtile, 8 * kTracedWords * splats);
    EXPECT_LT(subtile, each);
}

TEST(TileBackward, LeavesTheFrameAsItWas) {
    const Explained e("mixed");
    const uint32_t tiles = tileGrid(e.tile.size().x, e.tile.size().y).count();
    const auto before = testDevice().download<uint32_t>(e.tile.frame().tileLast, tiles);
    EXPECT_FALSE(e.backward.methods().empty());
    e.backward.lanes();
    EXPECT_EQ(testDevice().download<uint32_t>(e.tile.frame().tileLast, tiles), before);
}

/// The kernel that counts active lanes and the weights that the trace stores agree, whatever the subgroup's size.
TEST(TileBackward, CountsTheActiveLanesOfTheTile) {
    const Explained e("mixed");
    const uint32_t lanes = summedLanes(testDevice());
    const LaneCounts found = e.backward.lanes();
    if (lanes == 0) {
        EXPECT_TRUE(found.pairs.empty());
        return;
    }
    std::vector<uint64_t> expected(lanes + 1);
    const std::vector<float>& weights = e.backward.weights();
    for (size_t first = 0; first < weights.size(); first += lanes) {
        const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(first);
        ++expected[static_cast<size_t>(std::count_if(begin, begin + lanes, [](float weight) { return weight > 0; }))];
    }
    EXPECT_EQ(found.pairs, expected);
    EXPECT_EQ(found.several, 0u);
}

/// Lanes that add to one word at once cannot all come first.
TEST(TileBackward, CountsRetriesOfCompareAndSwap) {
    const Explained e("mixed");
    const auto retries = e.backward.retries();
    ASSERT_EQ(retries.size(), 2u);
    EXPECT_EQ(retries[0].method, "cas");
    EXPECT_GT(retries[0].retries, 0u);
    EXPECT_GT(retries[0].additions, retries[1].additions);
    EXPECT_LT(retries[1].retries, retries[0].retries);
    for (const RetryTrace& trace : retries) {
        EXPECT_EQ(trace.bySplat.size(), e.tile.list().size());
        uint64_t own = 0;
        for (const uint32_t count : trace.bySplat) own += count;
        EXPECT_LE(own, trace.retries);
    }
}

TEST(TileBackward, OfATileWithoutSplatsIsEmpty) {
    reference::Scene off = reference::makeScene("offScreen", 7);
    for (float& logit : off.gaussians.logitOpacities) logit = -20;
    const ExplainedScene scene(std::move(off));
    const TileFrame tile = scene.at(scene.centre());
    ASSERT_TRUE(tile.list().empty());
    const gpu::Buffer gradients = testDevice().buffer<glm::vec3>("colour gradients", size_t{scene.size().x} * scene.size().y);
    const TileBackward backward(tile, gradients);
    EXPECT_TRUE(backward.weights().empty());
    EXPECT_TRUE(backward.sums().empty());
}

}  // namespace
}  // namespace splat::explain
