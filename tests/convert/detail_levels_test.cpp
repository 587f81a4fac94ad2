// Levels of detail: cells, pictures by which they are compared, and what is written.
#include <splatwright/convert/detail_levels.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/convert/node_pictures.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/sog/streamed_sog.h>
#include <splatwright/scene/gaussians/morton.h>
#include "../scene/scratch.h"
#include "kernels/compare_pictures.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

const LazyDevice kDevice{testDevice, []() -> const primitives::RadixSort& { return testSort(); }};

/// A wavy surface of small splats of many colours.
Gaussians surface(size_t side) {
    Rng rng(3);
    Gaussians g;
    g.resize(side * side, 0);
    for (size_t i = 0; i < g.count(); ++i) {
        const size_t row = i / side;
        const float x = static_cast<float>(i % side) / static_cast<float>(side), y = static_cast<float>(row) / static_cast<float>(side);
        g.means[i] = {x, y, 0.1f * std::sin(6 * x)};
        g.rotations[i] = {1, 0, 0, 0};
        g.logScales[i] = glm::vec3(std::log(0.5f / static_cast<float>(side)));
        g.logitOpacities[i] = 2;
        g.sh[i] = {2 * std::sin(9 * x), 2 * std::cos(7 * y), static_cast<float>(rng.uniform(-0.5, 0.5))};
    }
    return g;
}

TEST(OctreeCells, HoldAllSplatsInOrderAndNoMoreThanAllowed) {
    Rng rng(5);
    for (const size_t count : std::initializer_list<size_t>{0, 1, 99, 100, 101, 5000}) {
        std::vector<glm::vec3> points(count);
        for (glm::vec3& p : points) p = glm::vec3(rng.uniform(-1, 1), std::pow(rng.uniform(0, 1), 5), rng.uniform(0, 0.1));
        std::vector<uint64_t> codes = mortonCodes(points);
        std::ranges::sort(codes);
        const std::vector<ListRange> cells = octreeCells(codes, 100);
        size_t next = 0;
        for (const ListRange& cell : cells) {
            EXPECT_EQ(cell.first, next);
            EXPECT_TRUE(cell.count > 0 && cell.count <= 100) << cell.count;
            next += cell.count;
        }
        EXPECT_EQ(next, count);
        EXPECT_LE(cells.size(), 1 + 2 * count / 100) << "cells are small";
    }
}

TEST(OctreeCells, CutSplatsAtOnePlace) {
    const std::vector<ListRange> cells = octreeCells(std::vector<uint64_t>(250, 42), 100);
    ASSERT_EQ(cells.size(), 3u);
    EXPECT_EQ(cells[2].first, 200u);
    EXPECT_EQ(cells[2].count, 50u);
}

/// The kernel's sums against sums in double precision.
TEST(NodePictures, DifferencesOfPicturesAreSummedAtEverySize) {
    gpu::Device& device = testDevice();
    constexpr uint32_t kSide = shared::kComparedSize, kPixels = kSide * kSide, kBlock = shared::kComparedBlock;
    constexpr uint32_t kBlocks = kPixels / (kBlock * kBlock);
    constexpr size_t kReferences = size_t{2} * kPixels, kDifferences = size_t{2} * kBlocks;
    Rng rng(11);
    const auto number = [&] { return static_cast<float>(rng.uniform(0, 1)); };
    std::vector<glm::vec3> colours(kPixels);
    std::vector<float> transmittances(kPixels);
    std::vector<glm::vec4> reference(kReferences);
    for (glm::vec3& c : colours) c = {number(), number(), number()};
    for (float& t : transmittances) t = number();
    for (glm::vec4& r : reference) r = {number(), number(), number(), number()};
    const gpu::Buffer c = device.buffer<glm::vec3>("colours", kPixels), t = device.buffer<float>("transmittances", kPixels);
    const gpu::Buffer r = device.buffer<glm::vec4>("reference", kReferences),
                      d = device.buffer<shared::PictureDifference>("differences", kDifferences);
    device.upload(c, colours), device.upload(t, transmittances), device.upload(r, reference);
    device.run("compare", [&](gpu::Commands& commands) {
        commands.dispatchGroups(
            kernels::compare_pictures{
                .colours = c, .transmittances = t, .reference = r, .differences = d, .firstPixel = kPixels, .firstDifference = kBlocks},
            kBlocks);
    });
    const auto found = device.download<shared::PictureDifference>(
        d.slice(kBlocks * sizeof(shared::PictureDifference), kBlocks * sizeof(shared::PictureDifference)), kBlocks);
    for (uint32_t block = 0; block < kBlocks; ++block) {
        const glm::uvec2 corner(block % (kSide / kBlock) * kBlock, block / (kSide / kBlock) * kBlock);
        const auto pixelAt = [&](uint32_t x, uint32_t y) { return (corner.y + y) * kSide + corner.x + x; };
        double energy = 0, coverage = 0;
        for (uint32_t i = 0; i < kBlock * kBlock; ++i) {
            const glm::dvec4 before(reference[kPixels + pixelAt(i % kBlock, i / kBlock)]);
            energy += glm::dot(glm::dvec3(before), glm::dvec3(before)) + (1 - before.a) * (1 - before.a);
            coverage += 1 - before.a;
        }
        EXPECT_NEAR(found[block].energy, energy, 1e-4 * energy);
        EXPECT_NEAR(found[block].coverage, coverage, 1e-4 * coverage);
        for (uint32_t mip = 0; mip < shared::kComparedMips; ++mip) {
            const uint32_t size = 1u << mip;
            double squares = 0;
            for (uint32_t y = 0; y < kBlock; y += size)
                for (uint32_t x = 0; x < kBlock; x += size) {
                    glm::dvec4 sum(0);
                    for (uint32_t i = 0; i < size * size; ++i) {
                        const uint32_t p = pixelAt(x + i % size, y + i / size);
                        sum += glm::dvec4(glm::dvec3(colours[p]), transmittances[p]) - glm::dvec4(reference[kPixels + p]);
                    }
                    squares += glm::dot(sum, sum) / std::pow(size, 4);
                }
            EXPECT_NEAR(found[block].squares[mip], squares, 1e-4 * squares + 1e-7) << "block " << block << ", mip " << mip;
        }
    }
}

/// Pixels from which on a difference is below 35 dB, for one that falls by half whenever pixels double.
TEST(NodePictures, APixelsSizeIsWhereTheDifferenceCannotBeSeen) {
    const auto difference = [](double first) {
        shared::PictureDifference block{.squares = {}, .energy = 500, .coverage = 1000};
        for (int mip = 0; mip < 6; ++mip) {
            const double error = first / std::pow(2, mip);
            block.squares[mip] = static_cast<float>(error * error * 4 * 1000 / std::pow(4, mip));
        }
        return differenceOf(std::array{block}, 0.5f);
    };
    constexpr double kSame = 0.0178;
    for (const double times : {0.1, 0.5, 1.0, 1.7, 2.0, 3.0, 20.0, 31.0, 100.0})
        EXPECT_NEAR(difference(kSame * times).pixelSize, 0.5 * times, 1e-4 * times) << times;
    EXPECT_NEAR(difference(0.1).relative, 0.1 * 0.1 * 4 * 1000 / 500, 1e-6);
    EXPECT_EQ(differenceOf(std::array{shared::PictureDifference{.squares = {}, .energy = 1, .coverage = 1}}, 1).pixelSize, 0);
}

TEST(NodePictures, TheSamePartIsTheSameAndHalfOfItIsNot) {
    const Gaussians g = surface(32);
    GaussianModel model(testDevice(), static_cast<uint32_t>(g.count()));
    model.upload(testDevice(), g);
    NodePictures pictures(testDevice(), testSort(), 2, model.capacity);
    const SplatBox box{.low = {0, 0, -0.1f}, .high = {1, 1, 0.1f}};
    const std::vector<PicturedPart> both{{box, 512, 512}, {box, 0, 1024}};
    pictures.keep(model, 0, both);
    for (const LevelDifference& same : pictures.compare(model, 0, both)) EXPECT_EQ(same.relative, 0);
    const std::vector<PicturedPart> less{{box, 512, 512}, {box, 0, 512}};
    const std::vector<LevelDifference> differences = pictures.compare(model, 0, less);
    EXPECT_EQ(differences[0].relative, 0);
    const LevelDifference half = differences[1];
    EXPECT_NEAR(half.relative, 0.5, 0.1) << "half of the picture is missing";
    EXPECT_GT(half.pixelSize, 0.2f) << "it shows from far away";
}

TEST(DetailLevels, EachIsAQuarterOfTheLastAndWorseByAMeasure) {
    const test::Scratch scratch;
    const Gaussians g = surface(64);
    const std::filesystem::path path = scratch.path() / "scene.ssog";
    size_t parts = 0;
    const DetailSummary summary = writeDetailLevels(path, g, {.nodeSplats = 1000}, kDevice, [&](size_t, size_t) { ++parts; });
    EXPECT_EQ(parts, 1u);
    EXPECT_EQ(summary.counts, (std::vector<uint64_t>{4096, 1024, 256, 64, 16}));
    const StreamedSog scene(path);
    ASSERT_EQ(scene.nodes().size(), summary.nodes);
    EXPECT_GE(summary.nodes, 5u);
    for (const DetailNode& node : scene.nodes()) {
        EXPECT_TRUE(std::ranges::is_sorted(node.errors));
        EXPECT_EQ(node.errors[0], 0);
        EXPECT_GT(node.errors[1], 0);
        EXPECT_GT(node.errors[4], 2 * node.errors[1]);
        EXPECT_LE(node.differences[4], 1.5f);
        for (const SplatRange& range : node.levels) EXPECT_GT(range.count, 0u) << "a hole from far away";
    }
    const Gaussians coarse = scene.readLevel(2);
    for (const glm::vec3& mean : coarse.means) EXPECT_TRUE(mean.x > -0.05 && mean.x < 1.05 && mean.y > -0.05 && mean.y < 1.05);
}

}  // namespace
}  // namespace splat
