#include <splatwright/scene/gaussians/morton.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>

namespace splat {
namespace {

std::vector<glm::vec3> randomPoints(size_t count) {
    Rng rng(1);
    std::vector<glm::vec3> points(count);
    for (glm::vec3& p : points) p = glm::vec3(rng.uniform(-3, 5), rng.uniform(0, 1), rng.uniform(2, 4));
    return points;
}

std::vector<uint32_t> upTo(size_t count) {
    std::vector<uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

/// Interleaved a bit at a time: x lowest.
uint64_t interleaved(const glm::u64vec3& cell) {
    uint64_t code = 0;
    for (uint32_t bit = 0; bit < kMortonLevels; ++bit)
        for (uint32_t axis = 0; axis < 3; ++axis) code |= (cell[static_cast<int>(axis)] >> bit & 1u) << (3 * bit + axis);
    return code;
}

TEST(Morton, CodesInterleaveTheBitsOfCellsInTheCubeAroundThePoints) {
    const std::vector<glm::vec3> points{{0, 0, 0}, {2097151, 0, 0}, {1, 2, 4}, {1398101, 699050, 2097150}, {7, 0, 123456}};
    const std::vector<uint64_t> codes = mortonCodes(points);
    for (size_t i = 0; i < points.size(); ++i) EXPECT_EQ(codes[i], interleaved(glm::u64vec3(points[i]))) << i;
}

// More points than one slice of the sort has, and equal ones among them.
TEST(Morton, TheOrderIsThatOfAStableSort) {
    for (const size_t count : {0u, 1u, 2u, 100u, 32768u, 32769u, 200'000u}) {
        std::vector<glm::vec3> points = randomPoints(count);
        for (size_t i = 0; i + 7 < count; i += 7) points[i] = points[count - 1 - i];
        const std::vector<uint64_t> codes = mortonCodes(points);
        std::vector<uint32_t> expected = upTo(count);
        std::ranges::stable_sort(expected, {}, [&](uint32_t i) { return codes[i]; });
        EXPECT_EQ(mortonOrder(points), expected) << count;
    }
}

TEST(Morton, NeighboursInTheListAreNeighboursInSpace) {
    const std::vector<glm::vec3> points = randomPoints(5000);
    const auto length = [&](const std::vector<uint32_t>& order) {
        double sum = 0;
        for (size_t i = 1; i < order.size(); ++i) sum += static_cast<double>(glm::distance(points[order[i - 1]], points[order[i]]));
        return sum;
    };
    EXPECT_LT(length(mortonOrder(points)), 0.1 * length(upTo(points.size())));
}

TEST(Morton, PointsInOnePlaceKeepTheirOrder) {
    EXPECT_EQ(mortonOrder(std::vector(50, glm::vec3(3, -1e30f, 0))), upTo(50));
    EXPECT_EQ(mortonOrder(std::vector<glm::vec3>{}), upTo(0));
}

TEST(Morton, NumbersThatAreNotFiniteStandAtTheSides) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<glm::vec3> points{{kInfinity, 0, 0}, {1, 0, 0}, {kNan, 0, 0}, {0, 0, 0}, {-kInfinity, 0, 0}, {3, 0, 0}};
    EXPECT_EQ(mortonOrder(points), (std::vector<uint32_t>{2, 3, 4, 1, 0, 5}));
    EXPECT_EQ(mortonOrder(std::vector(4, glm::vec3(kNan))), upTo(4));
}

}  // namespace
}  // namespace splat
