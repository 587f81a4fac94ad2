#include "compressed_ply_samples.h"

#include <limits>

#include <splatwright/core/input_file.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/chunk_order.h>
#include <splatwright/scene/formats/chunk_positions.h>
#include <splatwright/scene/formats/formats.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

Gaussians read(const CompressedPly& file) {
    const Scratch scratch;
    return readSplats(scratch.write("a.compressed.ply", file.content()));
}

void expectRefused(const CompressedPly& file, std::vector<std::string> parts) {
    parts.emplace_back("a.compressed.ply");
    expectInputError([&] { read(file); }, parts);
}

/// One splat whose words are written by hand: every field's bits have a value of their own.
CompressedPly byHand() {
    CompressedPly file{.splats = 1, .chunks = 1, .shRows = 1, .degree = 1};
    file.chunkRows = Bytes()
                         .put(glm::vec3(0, 10, 100))
                         .put(glm::vec3(2047, 1033, 2147))
                         .put(glm::vec3(-5))
                         .put(glm::vec3(2047 - 5, 1023 - 5, 2047 - 5))
                         .put(glm::vec3(0, 0, 0.5f))
                         .put(glm::vec3(1, 2.55f, 1))
                         .content();
    const uint32_t position = 3u << 21u | 5u << 11u | 7u, scale = 11u << 21u | 13u << 11u | 17u;
    const uint32_t rotation = 2u << 30u | 1023u << 20u | 0u << 10u | 512u;
    file.vertexRows = Bytes().put(position).put(rotation).put(scale).put(uint32_t{0xff6400cc}).content();
    // Channel by channel: three reds, three greens, three blues.
    for (const int byte : {0, 127, 128, 255, 64, 192, 1, 254, 100}) file.higherRows += static_cast<char>(byte);
    return file;
}

TEST(CompressedPly, ReadsWordsByHand) {
    const Gaussians g = read(byHand());
    ASSERT_EQ(g.count(), 1u);
    EXPECT_LT(glm::distance(g.means[0], glm::vec3(3, 15, 107)), 1e-3);
    EXPECT_LT(glm::distance(g.logScales[0], glm::vec3(6, 8, 12)), 1e-3);
    // 2: y of w, x, y, z is left out; w = half of the root of 2, x = -w, z nearly 0, so y = 0.
    const float half = std::sqrt(0.5f);
    EXPECT_LT(glm::distance(g.rotations[0], glm::vec4(half, -half, 0, 0)), 1e-3);
    EXPECT_NEAR(sigmoid(g.logitOpacities[0]), 204.0 / 255, 1e-6);
    EXPECT_LT(glm::distance(colourOf(g.sh[0]), glm::vec3(1, 1, 0.5f)), 1e-5);
}

TEST(CompressedPly, BytesOfHigherCoefficientsAreChannelByChannel) {
    const Gaussians g = read(byHand());
    const auto middle = [](float byte) { return ((byte + 0.5f) / 256 - 0.5f) * 8; };
    EXPECT_EQ(g.shDegree, 1);
    EXPECT_EQ(g.sh[1], glm::vec3(-4, 4, middle(1)));
    EXPECT_EQ(g.sh[2], glm::vec3(middle(127), middle(64), middle(254)));
    EXPECT_EQ(g.sh[3], glm::vec3(middle(128), middle(192), middle(100)));
}

TEST(CompressedPly, WithoutColourBoundsColoursAreWhole) {
    CompressedPly file = byHand();
    file.colourBounds = false;
    file.chunkRows.resize(12 * sizeof(float));
    EXPECT_LT(glm::distance(colourOf(read(file).sh[0]), glm::vec3(255, 100, 0) / 255.0f), 1e-5);
}

TEST(CompressedPly, EachChunkHasItsOwnBounds) {
    Gaussians g = randomSplats(257, 0);
    g.means[256] = {1000, -2000, 3000};
    const Gaussians read = splat::read(compressedPly(g));
    ASSERT_EQ(read.count(), 257u);
    EXPECT_EQ(read.means[256], g.means[256]);
    EXPECT_LT(glm::distance(read.means[255], g.means[255]), 0.01f);
}

TEST(CompressedPly, CountsMustAgree) {
    CompressedPly file = compressedPly(randomSplats(3, 1));
    file.chunks = 2, file.chunkRows += file.chunkRows;
    expectRefused(file, {"element chunk has 2 rows, expected 1 for 3 splats"});
    file = compressedPly(randomSplats(300, 0));
    file.chunks = 1, file.chunkRows.resize(file.chunkRows.size() / 2);
    expectRefused(file, {"element chunk has 1 rows, expected 2 for 300 splats"});
    file = compressedPly(randomSplats(3, 1));
    file.shRows = 2;
    expectRefused(file, {"element sh has 2 rows, expected 3"});
    file.shRows = 3, file.splats = size_t{1} << 60u;
    expectRefused(file, {"too few bytes"});
}

TEST(CompressedPly, OtherTypesAreNamed) {
    CompressedPly file = byHand();
    file.word = "float";
    expectRefused(file, {"property packed_position is float, expected uint"});
    file = byHand();
    file.byte = "char";
    expectRefused(file, {"property f_rest_0 is char, expected uchar"});
    std::string content = byHand().content();
    content.replace(content.find("packed_scale"), 12, "packed_stale");
    const Scratch scratch;
    expectInputError([&] { readSplats(scratch.write("a.ply", content)); }, {"property packed_scale", "missing", "packed_stale"});
}

TEST(CompressedPly, InfiniteBoundsAreRefused) {
    CompressedPly file = byHand();
    const auto setBound = [&](size_t i, float value) { std::memcpy(&file.chunkRows[i * sizeof(float)], &value, sizeof value); };
    setBound(4, std::numeric_limits<float>::infinity());
    expectRefused(file, {"property max_y of row 0 is inf"});
    setBound(4, 0);
    setBound(15, std::numeric_limits<float>::max());  // beyond float as a coefficient
    expectRefused(file, {"colour of splat 0", "finite"});
}

TEST(CompressedPly, TextReadsToo) {
    CompressedPly file{.format = "ascii", .splats = 1, .chunks = 1, .colourBounds = false};
    file.chunkRows = "0 0 0 1 1 1 0 0 0 1 1 1\n";
    file.vertexRows = "4294967295 3221225472 0 255\n";
    EXPECT_EQ(read(file).means[0], glm::vec3(1));
    for (const char* odd : {"-7", "1e30", "0.5"}) {
        file.vertexRows = fmt::format("{} 0 0 255\n", odd);
        expectRefused(file, {fmt::format("property packed_position of row 0 is '{}', expected a number of type uint", odd)});
    }
}

Gaussians writtenAndRead(const Gaussians& gaussians) {
    const Scratch scratch;
    writeSplats(scratch.path() / "a.compressed.ply", gaussians);
    return readSplats(scratch.path() / "a.compressed.ply");
}

// Without an order in space, every chunk would span both clusters.
TEST(CompressedPly, ChunksAreWrittenOfNeighbours) {
    Gaussians g = randomSplats(1024, 0);
    for (size_t i = 0; i < g.count(); ++i) {
        g.means[i] += glm::vec3(i % 2 ? 4000 : 0, 0, 0);
        g.logitOpacities[i] = i % 2 ? 4.0f : -4.0f;
    }
    const Gaussians found = writtenAndRead(g);
    ASSERT_EQ(found.count(), 1024u);
    for (size_t i = 0; i < g.count(); ++i) {
        EXPECT_EQ(found.means[i].x > 2000, i >= 512) << i;
        EXPECT_EQ(found.logitOpacities[i] > 0, i >= 512) << i;
    }
    std::vector<float> expected, places;
    for (const glm::vec3& mean : g.means) expected.push_back(mean.x);
    for (const glm::vec3& mean : found.means) places.push_back(mean.x);
    std::ranges::sort(expected), std::ranges::sort(places);
    for (size_t i = 0; i < places.size(); ++i) EXPECT_NEAR(places[i], expected[i], 0.5 * 10 / 2047 + 2e-4);
}

std::vector<glm::vec3> randomPoints(size_t count, uint64_t seed) {
    Rng rng(seed);
    std::vector<glm::vec3> points(count);
    for (glm::vec3& point : points) point = {rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0, 1)};
    return points;
}

std::vector<float> sortedAlong(const Gaussians& g, int axis) {
    std::vector<float> coordinates;
    for (const glm::vec3& mean : g.means) coordinates.push_back(mean[axis]);
    std::ranges::sort(coordinates);
    return coordinates;
}

void expectSamePositions(const Gaussians& a, const Gaussians& b) {
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<float> before = sortedAlong(a, axis), after = sortedAlong(b, axis);
        for (size_t i = 0; i < before.size(); ++i) ASSERT_NEAR(before[i], after[i], 1e-6f) << axis;
    }
}

Gaussians spreadSplats() {
    Gaussians g = randomSplats(5000, 0);
    g.means = randomPoints(g.count(), 7);
    return g;
}

/// Positions that were in chunks are on their steps, which other chunks do not have; these chunks are not small.
TEST(CompressedPly, AModelThatWasInChunksKeepsThem) {
    const Gaussians found = read(compressedPly(spreadSplats()));
    expectSamePositions(found, writtenAndRead(found));
}

TEST(CompressedPly, WhatWasWrittenIsWrittenAgain) {
    const Gaussians found = writtenAndRead(spreadSplats());
    expectSamePositions(found, writtenAndRead(found));
}

TEST(CompressedPly, ChunksHaveAllPointsOnceWhateverTheirNumber) {
    for (const size_t count : {1u, 3u, 4u, 5u, 8u, 511u, 2000u}) {
        std::vector<uint32_t> order = chunkOrder(randomPoints(count, count), 4);
        std::ranges::sort(order);
        ASSERT_EQ(order.size(), count);
        for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(order[i], i) << count;
    }
}

/// Groups stand in a row along y, across the middle of the cube's x, which the first one stretches. A curve through space first goes through the
/// half of each that has the lower x, and on to the next group wherever a chunk may be.
TEST(CompressedPly, GroupsShareNoChunk) {
    constexpr size_t kGroups = 12, kChunk = 8;
    std::vector<glm::vec3> points = randomPoints(kGroups * 3 * kChunk, 3);
    for (size_t i = 0; i < points.size(); ++i) points[i] += glm::vec3(i % kGroups == 0 ? -55 : 0, 10 * static_cast<float>(i % kGroups), 0);
    const std::vector<uint32_t> order = chunkOrder(points, kChunk);
    for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i] % kGroups, order[i / kChunk * kChunk] % kGroups) << i;
}

/// Steps between the least and the largest number leave a twelfth of a squared step.
TEST(CompressedPly, BoundsAreWhereStepsAreClosest) {
    const std::vector<glm::vec3> means = randomPoints(256 * 64, 11);
    const ChunkedPositions chunked = chunkedPositions(means);
    double error = 0, expected = 0;
    for (const auto& [low, high, own] : chunked.bounds) {
        error += own;
        const glm::dvec3 step = glm::dvec3(high - low) / glm::dvec3(2047, 1023, 2047);
        expected += 256 * glm::dot(step, step) / 12;
    }
    EXPECT_LT(error, 0.95 * expected);
    EXPECT_GT(error, 0.7 * expected);
}

/// Along y, a chunk has half of the other axes' steps.
TEST(CompressedPly, ChunksAreHalfAsHighAsWide) {
    Gaussians g = randomSplats(4096, 0);
    Rng rng(5);
    for (glm::vec3& mean : g.means) mean = 8.0f * glm::vec3(rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0, 1));
    const Gaussians found = writtenAndRead(g);
    glm::vec3 sizes(0);
    for (size_t first = 0; first < found.count(); first += 256) {
        glm::vec3 low(8), high(0);
        for (size_t i = first; i < first + 256; ++i) low = glm::min(low, found.means[i]), high = glm::max(high, found.means[i]);
        sizes += high - low;
    }
    EXPECT_LT(sizes.y, 0.6f * std::min(sizes.x, sizes.z));
}

TEST(CompressedPly, IsWrittenAsALayoutOfElements) {
    const Scratch scratch;
    writeSplats(scratch.path() / "a.compressed.ply", randomSplats(300, 1));
    const std::string text = textOf(readFile(scratch.path() / "a.compressed.ply"));
    CompressedPly expected{.splats = 300, .chunks = 2, .shRows = 300, .degree = 1};
    expected.higherRows = std::string(2 * 18 * 4 + 300 * (16 + 9), '\0');
    ASSERT_EQ(text.size(), expected.content().size());
    EXPECT_EQ(text.substr(0, text.find("end_header")), expected.content().substr(0, expected.content().find("end_header")));
}

// The far ends of float take their part of a chunk's steps only as far as splats can be seen.
TEST(CompressedPly, AVanishingSplatLeavesTheOthersTheirScale) {
    Gaussians g = randomSplats(2, 0);
    g.means[0].x = -10;  // stays first
    g.logScales[0] = glm::vec3(-100);
    g.logScales[1] = {-3.3f, 2.1f, 0.77f};
    const Gaussians found = writtenAndRead(g);
    EXPECT_LT(glm::length(found.logScales[0] + 20.0f), 1e-5);
    EXPECT_LT(glm::distance(found.logScales[1], g.logScales[1]), 1e-5);
    g.logScales[0] = glm::vec3(-4);
    EXPECT_LT(glm::length(writtenAndRead(g).logScales[0] + 4.0f), 1e-5);
}

TEST(CompressedPly, QuaternionsOfAnyLengthAreWritten) {
    for (const float length : {1e-30f, 1.0f, 1e30f}) {
        Gaussians g = randomSplats(1, 0);
        g.rotations[0] = glm::vec4(-3, 1, 4, 1) * length;
        const glm::vec4 found = writtenAndRead(g).rotations[0], expected = glm::normalize(glm::vec4(-3, 1, 4, 1));
        EXPECT_LT(glm::distance(found, expected), 0.003f) << length;
    }
    Gaussians g = randomSplats(1, 0);
    g.rotations[0] = glm::vec4(0);
    EXPECT_LT(glm::distance(writtenAndRead(g).rotations[0], glm::vec4(1, 0, 0, 0)), 0.003f);
}

}  // namespace
}  // namespace splat
