#include <splatwright/train/session/covering_subset.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>

namespace splat {
namespace {

std::vector<glm::vec3> randomPoints(size_t count, float edge, uint64_t seed = 1) {
    Rng rng(seed);
    std::vector<glm::vec3> points(count);
    for (glm::vec3& point : points) {
        for (int axis = 0; axis < 3; ++axis) point[axis] = edge * static_cast<float>(rng.uniform());
    }
    return points;
}

/// The farthest that a point lies from a chosen one.
float gapOf(const std::vector<glm::vec3>& points, const std::vector<size_t>& chosen) {
    float gap = 0;
    for (const glm::vec3& point : points) {
        float nearest = std::numeric_limits<float>::infinity();
        for (const size_t i : chosen) nearest = std::min(nearest, glm::distance(point, points[i]));
        gap = std::max(gap, nearest);
    }
    return gap;
}

TEST(CoveringSubset, HasExactlySoManyDifferentPointsInTheirOrder) {
    for (const size_t points : {0UL, 1UL, 2UL, 7UL, 100UL, 1000UL}) {
        const std::vector<glm::vec3> cloud = randomPoints(points, 5);
        for (const size_t count : {0UL, 1UL, 2UL, 3UL, 50UL, 99UL, 100UL, 999UL, 1000UL, 5000UL}) {
            const std::vector<size_t> chosen = coveringSubset(cloud, count);
            EXPECT_EQ(chosen.size(), std::min(points, count));
            EXPECT_TRUE(std::ranges::is_sorted(chosen, std::less_equal())) << points << ", " << count;
            EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), chosen.size());
            EXPECT_TRUE(chosen.empty() || chosen.back() < points);
        }
    }
}

TEST(CoveringSubset, OfPointsInOnePlaceIsAnyOfThem) {
    EXPECT_EQ(coveringSubset(std::vector(50, glm::vec3(3)), 10).size(), 10u);
    EXPECT_EQ(coveringSubset(std::vector(50, glm::vec3(0, 1e30f, 0)), 1).size(), 1u);
}

// The lonely points come first, in the middle or last: the first so many points would keep or lose them.
TEST(CoveringSubset, KeepsLonelyPointsAndMoreWhereThereAreMore) {
    constexpr size_t kLonely = 20, kDense = 10'000, kSparse = 1000, kCount = 400;
    std::vector<glm::vec3> cloud = randomPoints(kDense, 1);
    for (const glm::vec3& point : randomPoints(kSparse, 1, 2)) cloud.push_back(point + glm::vec3(0, 0, 8));
    for (size_t i = 0; i < kLonely; ++i) cloud.insert(cloud.begin() + static_cast<int>(500 * i), {10 + 3 * static_cast<float>(i), 0, 20});
    size_t lonely = 0, dense = 0, right = 0;
    for (const size_t i : coveringSubset(cloud, kCount)) {
        if (cloud[i].z == 20) ++lonely;
        if (cloud[i].z <= 1) ++dense;
        if (cloud[i].z <= 1 && cloud[i].x > 0.5f) ++right;
    }
    EXPECT_EQ(lonely, kLonely);
    EXPECT_GT(dense, kCount / 2) << "nine of ten points are there";
    EXPECT_NEAR(static_cast<double>(right), static_cast<double>(dense) / 2, static_cast<double>(dense) / 8) << "all over there";
}

TEST(CoveringSubset, LeavesSmallerGapsThanARandomOne) {
    // Most points in a corner: a random subset is there as well.
    std::vector<glm::vec3> cloud = randomPoints(9000, 1);
    for (const glm::vec3& point : randomPoints(1000, 10, 2)) cloud.push_back(point);
    Rng rng(7);
    std::vector<size_t> random(300);
    for (size_t& i : random) i = rng.below(cloud.size());
    EXPECT_LT(gapOf(cloud, coveringSubset(cloud, 300)), 0.75f * gapOf(cloud, random));
}

}  // namespace
}  // namespace splat
