// Copies of a scene side by side.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include <splatwright/convert/operation.h>
#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/scene/gaussians/model_transform.h>
#include "reference/project.h"
#include "reference/sh.h"

namespace splat {
namespace {

constexpr size_t kCount = 500;

/// Splats in a box of 4 x 2 x 6 units around (10, 20, 30), and a column of extras that numbers them.
Gaussians box(size_t count = kCount) {
    Rng rng(3);
    const auto within = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
    Gaussians g;
    g.extras = {{.name = "number", .type = PlyType::uint16, .values = {}}};
    g.resize(count, 2);
    for (size_t i = 0; i < count; ++i) {
        g.means[i] = {within(8, 12), within(19, 21), within(27, 33)};
        g.rotations[i] = {within(0.1, 1), within(-1, 1), within(-1, 1), within(-1, 1)};
        g.logScales[i] = {within(-4, 1), within(-4, 1), within(-4, 1)};
        g.logitOpacities[i] = within(-5, 5);
        const auto number = static_cast<uint16_t>(i);
        std::memcpy(&g.extras[0].values[i * sizeof number], &number, sizeof number);
    }
    for (glm::vec3& sh : g.sh) sh = {within(-1, 1), within(-1, 1), within(-1, 1)};
    return g;
}

Gaussians gridOf(Gaussians g, std::string_view size, std::optional<float> jitter = {}) {
    const auto rows = splatOperations();
    const auto row = std::ranges::find(rows, std::string_view("grid"), [](const SplatOperation* r) { return std::string_view(r->name); });
    changeOf(**row, size, "--grid", jitter)(g, {});
    checkSizes(g);
    return g;
}

bool sameBits(const Gaussians& a, const Gaussians& b) {
    return a.means == b.means && a.rotations == b.rotations && a.logScales == b.logScales && a.logitOpacities == b.logitOpacities &&
           a.sh == b.sh && a.extras == b.extras;
}

TEST(Grid, CopiesStandInColumnsAlongXAndRowsAlongZ) {
    const Gaussians before = box(), after = gridOf(before, "3x2");
    ASSERT_EQ(after.count(), 6 * kCount);
    const glm::vec3 right = after.means[kCount] - before.means[0], forward = after.means[3 * kCount] - before.means[0];
    EXPECT_EQ(glm::vec2(right.y, right.z), glm::vec2(0));
    EXPECT_EQ(glm::vec2(forward.x, forward.y), glm::vec2(0));
    EXPECT_TRUE(right.x > 4 && right.x < 4.4F) << right.x << ": a tenth more than the size";
    EXPECT_TRUE(forward.z > 6 && forward.z < 6.6F) << forward.z;
    for (size_t copy = 0; copy < 6; ++copy) {
        const size_t column = copy % 3, row = copy / 3;
        for (size_t i = 0; i < kCount; ++i) {
            const size_t at = copy * kCount + i;
            const glm::vec3 place = before.means[i] + right * static_cast<float>(column) + forward * static_cast<float>(row);
            ASSERT_LT(glm::distance(after.means[at], place), 1e-4F) << copy << ' ' << i;
            ASSERT_EQ(after.rotations[at], before.rotations[i]);
            ASSERT_EQ(after.logScales[at], before.logScales[i]);
            ASSERT_EQ(after.logitOpacities[at], before.logitOpacities[i]);
            ASSERT_EQ(numberOf(after.extras[0], at), static_cast<double>(i));
            for (size_t k = 0; k < 9; ++k) ASSERT_EQ(after.sh[9 * at + k], before.sh[9 * i + k]);
        }
    }
}

TEST(Grid, OneCopyWithoutJitterIsTheScene) {
    EXPECT_TRUE(sameBits(gridOf(box(), "1x1"), box()));
    EXPECT_TRUE(sameBits(gridOf(box(), "4x1", 0.F), gridOf(box(), "4x1")));
}

TEST(Grid, FarFloatersAndNumbersThatAreNoneDoNotMoveCopies) {
    Gaussians damaged = box();
    damaged.means[7] = glm::vec3(1e6F);
    damaged.means[8] = glm::vec3(std::numeric_limits<float>::quiet_NaN());
    const Gaussians after = gridOf(damaged, "2x1");
    EXPECT_LT(after.means[kCount].x - after.means[0].x, 4.5F);
    // A single splat has no size.
    EXPECT_EQ(gridOf(box(1), "2x1").means[1].x - box(1).means[0].x, 1);
}

/// Angle about the vertical axis and factor by which two splats of a copy are turned and scaled.
struct Placement {
    double angle, scale;
    glm::dvec2 middle;
};

Placement placementOf(const Gaussians& before, const Gaussians& after, size_t copy) {
    const glm::dvec3 was = glm::dvec3(before.means[1]) - glm::dvec3(before.means[0]),
                     is = glm::dvec3(after.means[copy * kCount + 1]) - glm::dvec3(after.means[copy * kCount]);
    glm::dvec2 middle(0);
    for (size_t i = 0; i < kCount; ++i)
        middle += glm::dvec2(after.means[copy * kCount + i].x, after.means[copy * kCount + i].z) / double{kCount};
    return {.angle = std::atan2(is.x, is.z) - std::atan2(was.x, was.z), .scale = glm::length(is) / glm::length(was), .middle = middle};
}

TEST(Grid, JitterTurnsMovesAndScalesEachCopyAsAWhole) {
    const Gaussians before = box(), after = gridOf(before, "4x3", 0.5F), still = gridOf(before, "4x3");
    std::vector<double> angles, scales;
    for (size_t copy = 0; copy < 12; ++copy) {
        const Placement p = placementOf(before, after, copy), rest = placementOf(before, still, copy);
        angles.push_back(p.angle);
        scales.push_back(p.scale);
        EXPECT_LT(std::abs(p.scale - 1), 0.126);
        EXPECT_LT(std::abs(p.middle.x - rest.middle.x), 0.125 * 4.4 + 0.1) << "half of a quarter of the spacing, and the means' own middle";
        EXPECT_LT(std::abs(p.middle.y - rest.middle.y), 0.125 * 6.6 + 0.1);
        EXPECT_NE(p.middle, rest.middle);
        const glm::dmat3 turn = glm::mat3_cast(glm::angleAxis(p.angle, glm::dvec3(0, 1, 0)));
        double foot = 0;
        for (size_t i = 0; i < kCount; ++i) {
            const size_t at = copy * kCount + i;
            const glm::dvec3 was = glm::dvec3(before.means[i]) - glm::dvec3(before.means[0]),
                             is = glm::dvec3(after.means[at]) - glm::dvec3(after.means[copy * kCount]);
            ASSERT_LT(glm::distance(is, p.scale * (turn * was)), 1e-3);
            ASSERT_NEAR(after.logScales[at].y, before.logScales[i].y + static_cast<float>(std::log(p.scale)), 1e-4F);
            foot = std::max(foot, static_cast<double>(after.means[at].y));
        }
        EXPECT_NEAR(foot, 21, 0.03) << "copies stand on the ground";
    }
    std::ranges::sort(angles);
    std::ranges::sort(scales);
    for (size_t i = 1; i < 12; ++i) EXPECT_TRUE(angles[i] - angles[i - 1] > 1e-4 && scales[i] - scales[i - 1] > 1e-6);
    EXPECT_GT(angles.back() - angles.front(), 0.5);
}

TEST(Grid, JitterTurnsShapesAndColours) {
    const Gaussians before = box(), after = gridOf(before, "2x2", 1.F);
    for (size_t copy = 0; copy < 4; ++copy) {
        const Placement p = placementOf(before, after, copy);
        const glm::dmat3 turn = glm::mat3_cast(glm::angleAxis(p.angle, glm::dvec3(0, 1, 0)));
        for (size_t i = 0; i < 20; ++i) {
            const size_t at = copy * kCount + i;
            const auto axes = [](const Gaussians& g, size_t k) {
                return reference::rotationMatrix(glm::normalize(glm::dvec4(g.rotations[k])));
            };
            for (int c = 0; c < 3; ++c) EXPECT_LT(glm::distance(axes(after, at)[c], turn * axes(before, i)[c]), 1e-3);
            const glm::dvec3 seen = glm::normalize(glm::dvec3(1, 2, 3));
            const auto was = reference::shBasis(seen), is = reference::shBasis(turn * seen);
            glm::dvec3 difference(0);
            for (size_t k = 0; k < 9; ++k)
                difference += is[k] * glm::dvec3(after.sh[9 * at + k]) - was[k] * glm::dvec3(before.sh[9 * i + k]);
            EXPECT_LT(glm::length(difference), 1e-3);
        }
    }
}

TEST(Grid, TheSameInputMakesTheSameBits) { EXPECT_TRUE(sameBits(gridOf(box(), "5x7", 0.7F), gridOf(box(), "5x7", 0.7F))); }

TEST(Grid, RefusesOtherSizesAndTooManySplats) {
    for (const char* size : {"3", "x", "3x", "x3", "0x3", "3x0", "-1x2", "1001x1", "1x1001", "3x2x1", "3 x 2", "3,2", "1.5x2"}) {
        try {
            gridOf(box(1), size);
            ADD_FAILURE() << size;
        } catch (const InputError& problem) {
            EXPECT_EQ(std::string(problem.what()),
                      std::string("--grid: found '") + size + "', expected COLUMNSxROWS such as 3x2, 1 to 1000 each");
        }
    }
    try {
        gridOf(box(5000), "1000x1000");
        ADD_FAILURE() << "more splats than an index can name";
    } catch (const InputError& problem) {
        EXPECT_NE(std::string(problem.what()).find("1000000 copies of 5000 splats, expected at most 4294967295"), std::string::npos);
    }
    EXPECT_EQ(gridOf(box(1), "1000x2").count(), 2000u);
}

}  // namespace
}  // namespace splat
