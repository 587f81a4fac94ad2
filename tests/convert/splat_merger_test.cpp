// Merging of splats on the device, against a reference in double precision and what it promises.
#include <splatwright/convert/splat_merger.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>
#include <glm/gtc/quaternion.hpp>

#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/shared/convert.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

/// Splats of any shape in clusters of a few, so that those of a cluster overlap and clusters do not.
Gaussians clusters(size_t count, size_t each, int degree, uint64_t seed = 7) {
    Rng rng(seed);
    const auto within = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
    Gaussians g;
    g.resize(count, degree);
    for (size_t i = 0; i < count; ++i) {
        const size_t cluster = i / each;
        g.means[i] = glm::vec3(static_cast<float>(10 * cluster), 0, 0) + glm::vec3(within(-1, 1), within(-1, 1), within(-1, 1));
        g.rotations[i] = {within(0.1, 1), within(-1, 1), within(-1, 1), within(-1, 1)};
        g.logScales[i] = {within(-2, 0.5), within(-2, 0.5), within(-2, 0.5)};
        g.logitOpacities[i] = within(-4, 4);
    }
    for (glm::vec3& sh : g.sh) sh = {within(-1, 1), within(-1, 1), within(-1, 1)};
    return g;
}

std::vector<uint32_t> groupsOf(size_t count, size_t each) {
    std::vector<uint32_t> groups(count);
    for (size_t i = 0; i < count; ++i) groups[i] = static_cast<uint32_t>(i / each);
    return groups;
}

glm::dmat3 covarianceOf(const Gaussians& g, size_t i) {
    const glm::dvec4 q = glm::normalize(glm::dvec4(g.rotations[i]));
    const glm::dmat3 axes = glm::mat3_cast(glm::dquat(q.x, q.y, q.z, q.w));
    const glm::dvec3 s = glm::exp(glm::dvec3(g.logScales[i]));
    const glm::dmat3 scaled(axes[0] * s.x, axes[1] * s.y, axes[2] * s.z);
    return scaled * glm::transpose(scaled);
}

/// What merging looks at of a splat.
struct Seen {
    glm::dvec3 mean;
    glm::dmat3 covariance;
    double opacity, mass;
    glm::dvec4 colour;  // and coverage, which matters less
};

Seen seen(const Gaussians& g, size_t i) {
    const glm::dvec3 s = glm::exp(glm::dvec3(g.logScales[i]));
    const double opacity = 1 / (1 + std::exp(-static_cast<double>(g.logitOpacities[i])));
    const glm::dvec3 colour = glm::max(0.5 + 0.28209479177387814 * glm::dvec3(g.sh[i * shCoefficients(g.shDegree)]), 0.0);
    return {g.means[i], covarianceOf(g, i), opacity, opacity * (s.x * s.y + s.x * s.z + s.y * s.z), {colour, 0.3}};
}

/// The integral of the product of two Gaussians of height 1, seen along each axis.
double overlap(const glm::dmat3& a, const glm::dmat3& b, const glm::dvec3& d) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
        const auto plane = [&](const glm::dmat3& m) { return glm::dmat2(m[x][x], m[x][y], m[y][x], m[y][y]); };
        const glm::dmat2 both = plane(a) + plane(b);
        const glm::dvec2 at(d[x], d[y]);
        const double squared = glm::dot(at, glm::inverse(both) * at);
        sum += 2 * std::numbers::pi * std::sqrt(glm::determinant(plane(a)) * glm::determinant(plane(b)) / glm::determinant(both)) *
               std::exp(-squared / 2);
    }
    return sum;
}

struct Merged {
    glm::dvec3 mean;
    glm::dmat3 covariance;
    double opacity, secondShare, error;
};

Merged merged(const Seen& a, const Seen& b) {
    Merged m{};
    const double t = b.mass / (a.mass + b.mass);
    const glm::dvec3 d = b.mean - a.mean;
    m.mean = glm::mix(a.mean, b.mean, t);
    m.covariance = a.covariance * (1 - t) + b.covariance * t + glm::outerProduct(d, d) * (t * (1 - t));
    const glm::dvec3 none(0);
    const double aa = overlap(a.covariance, a.covariance, none), bb = overlap(b.covariance, b.covariance, none);
    const double ab = overlap(a.covariance, b.covariance, d);
    double mm = overlap(m.covariance, m.covariance, none);
    const double kept = 1 - 0.25 * ab / std::sqrt(aa * bb) * a.opacity * b.opacity / (a.opacity + b.opacity);
    const double heightA = kept * a.opacity, heightB = kept * b.opacity;
    // It hides as much as both, and is wider if one opaque splat cannot.
    const double wanted = (heightA * aa + heightB * bb) / mm, most = std::min(1 - (1 - a.opacity) * (1 - b.opacity), 0.9999);
    m.opacity = std::min(wanted, most);
    const double grown = std::max(wanted / most, 1.0);
    m.covariance *= grown;
    mm *= grown;
    const double am = overlap(a.covariance, m.covariance, m.mean - a.mean), bm = overlap(b.covariance, m.covariance, m.mean - b.mean);
    const double fitted = (heightA * am + heightB * bm) / mm;
    m.secondShare = std::sqrt(heightB * bm) / (std::sqrt(heightA * am) + std::sqrt(heightB * bm));
    // The difference of both and the merged splat in the colours that fit best, all pictures summed.
    const glm::dvec4 ca = a.colour * heightA, cb = b.colour * heightB, c = (ca * am + cb * bm) / (fitted * mm) * m.opacity;
    m.error = glm::dot(ca, ca) * aa + 2 * glm::dot(ca, cb) * ab + glm::dot(cb, cb) * bb -
              2 * (glm::dot(c, ca) * am + glm::dot(c, cb) * bm) + glm::dot(c, c) * mm;
    return m;
}

constexpr Extent kEverywhere{.centre = glm::dvec3(0), .radius = 1e6};  // all errors matter the same

Gaussians reduced(const Gaussians& g, std::span<const uint32_t> groups, uint32_t count, std::vector<uint32_t>* origins = nullptr) {
    SplatMerger merger(testDevice(), testSort(), g, groups, kEverywhere);
    merger.reduceTo(count);
    if (origins) *origins = merger.origins();
    return merger.splats();
}

void expectMerged(const Gaussians& after, size_t i, const Gaussians& before, size_t first, size_t second) {
    const Seen a = seen(before, first), b = seen(before, second);
    const Merged expected = merged(a, b);
    EXPECT_LT(glm::distance(glm::dvec3(after.means[i]), expected.mean), 1e-5 * std::max(1.0, std::abs(expected.mean.x)));
    const glm::dmat3 off = covarianceOf(after, i) - expected.covariance;
    const double size = expected.covariance[0][0] + expected.covariance[1][1] + expected.covariance[2][2];
    for (int c = 0; c < 3; ++c) EXPECT_LT(glm::length(off[c]), 1e-4 * size);
    EXPECT_NEAR(static_cast<double>(opacityOfLogit(after.logitOpacities[i])), expected.opacity, 1e-4);
    const size_t each = shCoefficients(before.shDegree);
    for (size_t k = 0; k < each; ++k) {
        const glm::dvec3 mixed =
            glm::mix(glm::dvec3(before.sh[first * each + k]), glm::dvec3(before.sh[second * each + k]), expected.secondShare);
        EXPECT_LT(glm::distance(glm::dvec3(after.sh[i * each + k]), mixed), 1e-3);
    }
}

TEST(SplatMerger, MergesPairsAsTheReferenceDoes) {
    for (const size_t pairs : std::initializer_list<size_t>{1, 127, 128, 129, 700}) {
        for (const int degree : {0, 3}) {
            SCOPED_TRACE(fmt::format("{} pairs, degree {}", pairs, degree));
            const Gaussians before = clusters(2 * pairs, 2, degree);
            std::vector<uint32_t> origins;
            const Gaussians after = reduced(before, groupsOf(2 * pairs, 2), 0, &origins);
            ASSERT_EQ(after.count(), pairs);
            for (size_t i = 0; i < pairs; ++i) {
                expectMerged(after, i, before, 2 * i, 2 * i + 1);
                EXPECT_EQ(origins[i], seen(before, 2 * i + 1).mass > seen(before, 2 * i).mass ? 2 * i + 1 : 2 * i);
            }
        }
    }
}

TEST(SplatMerger, IntegralsOfTheReferenceAreThoseOfPictures) {
    const Gaussians g = clusters(2, 2, 0);
    const Seen a = seen(g, 0), b = seen(g, 1);
    constexpr double kStep = 0.02;
    constexpr int kSteps = 400;
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
        const auto height = [&](const Seen& s, double px, double py) {
            const glm::dmat2 plane(s.covariance[x][x], s.covariance[x][y], s.covariance[y][x], s.covariance[y][y]);
            const glm::dvec2 d(px - s.mean[x], py - s.mean[y]);
            return std::exp(-glm::dot(d, glm::inverse(plane) * d) / 2);
        };
        for (int row = -kSteps; row < kSteps; ++row)
            for (int column = -kSteps; column < kSteps; ++column)
                sum += height(a, column * kStep, row * kStep) * height(b, column * kStep, row * kStep) * kStep * kStep;
    }
    EXPECT_NEAR(overlap(a.covariance, b.covariance, b.mean - a.mean), sum, 1e-3 * sum);
}

TEST(SplatMerger, MergesTheCheapestPairOfAllFirst) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const size_t count = 12;
        static_assert(count <= shared::kMergeWindow);
        const Gaussians before = clusters(count, count, 1, seed);
        double smallest = 1e300;
        std::pair<size_t, size_t> best;
        for (size_t i = 0; i < count; ++i)
            for (size_t k = i + 1; k < count; ++k)
                if (const double error = merged(seen(before, i), seen(before, k)).error; error < smallest) smallest = error, best = {i, k};
        const Gaussians after = reduced(before, std::vector<uint32_t>(count), count - 1);
        ASSERT_EQ(after.count(), count - 1);
        expectMerged(after, best.first, before, best.first, best.second);
        for (size_t i = 0, from = 0; i < after.count(); ++i, ++from) {  // the others are as they were
            if (from == best.second) ++from;
            const bool same = after.means[i] == before.means[from];
            EXPECT_EQ(same, i != best.first) << i;
        }
    }
}

TEST(SplatMerger, TwoEqualSplatsBecomeOneThatHidesAsMuch) {
    Gaussians g = clusters(2, 2, 3);
    const auto copy = [](auto& values, size_t each) {
        std::copy_n(values.begin(), each, values.begin() + static_cast<std::ptrdiff_t>(each));
    };
    copy(g.means, 1), copy(g.rotations, 1), copy(g.logScales, 1), copy(g.logitOpacities, 1), copy(g.sh, 16);
    const Gaussians one = reduced(g, groupsOf(2, 2), 1);
    ASSERT_EQ(one.count(), 1u);
    const float opacity = opacityOfLogit(g.logitOpacities[0]);
    EXPECT_NEAR(opacityOfLogit(one.logitOpacities[0]), 1 - (1 - opacity) * (1 - opacity), 1e-5);
    EXPECT_LT(glm::distance(one.means[0], g.means[0]), 1e-6f);
    for (size_t k = 0; k < 16; ++k) EXPECT_LT(glm::distance(one.sh[k], g.sh[k]), 1e-5f);
}

TEST(SplatMerger, StopsAtTheNumberOrWhereGroupsEnd) {
    const size_t count = 1500, each = 50;
    const Gaussians g = clusters(count, each, 0);
    for (const uint32_t most : {1500u, 1499u, 1024u, 257u, 256u, 31u}) EXPECT_EQ(reduced(g, groupsOf(count, each), most).count(), most);
    std::vector<uint32_t> origins;
    EXPECT_EQ(reduced(g, groupsOf(count, each), 1, &origins).count(), count / each);
    for (size_t i = 0; i < origins.size(); ++i) EXPECT_EQ(origins[i] / each, i) << "a splat of another group";
}

/// All splats of a regular grid want the one before them.
TEST(SplatMerger, HalvesRegularGridsInFewRounds) {
    Gaussians g = clusters(4096, 1, 0);
    for (size_t i = 0; i < g.count(); ++i) {
        g.means[i] = {static_cast<float>(i), 0, 0};
        g.rotations[i] = {1, 0, 0, 0};
        g.logScales[i] = glm::vec3(-0.7f);
        g.logitOpacities[i] = 1;
        g.sh[i] = glm::vec3(0.3f);
    }
    SplatMerger merger(testDevice(), testSort(), g, std::vector<uint32_t>(g.count()), kEverywhere);
    EXPECT_LE(merger.reduceTo(2048), 12u);
    EXPECT_EQ(merger.count(), 2048u);
}

/// In each group, 32 faint splats far from each other within an opaque one, which takes only one of them at a time.
TEST(SplatMerger, SplatsThatAllPreferTheSameOneNeedFewRounds) {
    constexpr size_t kEach = 33, kCount = 64 * kEach;
    Gaussians g = clusters(kCount, kEach, 0);
    for (size_t i = 0; i < kCount; ++i) {
        const bool large = i % kEach == kEach / 2;
        const size_t cluster = i / kEach;
        const glm::vec3 centre(static_cast<float>(10 * cluster), 0, 0);
        g.means[i] = large ? centre : centre + 3.0f * (g.means[i] - centre);
        g.logScales[i] = glm::vec3(large ? 0.7f : -2.0f);
        g.logitOpacities[i] = large ? 4.0f : -1.0f;
        g.sh[i] = glm::vec3(0.3f);
    }
    SplatMerger merger(testDevice(), testSort(), g, groupsOf(kCount, kEach), kEverywhere);
    EXPECT_LE(merger.reduceTo(kCount / 2), 7u);
    EXPECT_EQ(merger.count(), kCount / 2);
}

/// Two pairs among splats that are alone: the cheaper one is merged in a round, the other in the next.
TEST(SplatMerger, HalfOfThePairsWait) {
    const Gaussians g = clusters(40, 2, 0);
    std::vector<uint32_t> groups(40);
    for (uint32_t i = 0; i < 40; ++i) groups[i] = i < 4 ? i / 2 : i;
    SplatMerger merger(testDevice(), testSort(), g, groups, kEverywhere);
    EXPECT_EQ(merger.reduceTo(1), 2u);
    EXPECT_EQ(merger.count(), 38u);
}

TEST(SplatMerger, GivesTheSameSplatsAgain) {
    const Gaussians g = clusters(3000, 3000, 2);
    const Gaussians one = reduced(g, std::vector<uint32_t>(3000), 700), other = reduced(g, std::vector<uint32_t>(3000), 700);
    EXPECT_EQ(one.means, other.means);
    EXPECT_EQ(one.rotations, other.rotations);
    EXPECT_EQ(one.logScales, other.logScales);
    EXPECT_EQ(one.logitOpacities, other.logitOpacities);
    EXPECT_EQ(one.sh, other.sh);
}

}  // namespace
}  // namespace splat
