// Each operation of `convert` against what it says, on random splats.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <splatwright/convert/operation.h>
#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/formats/quantised.h>
#include "reference/model.h"
#include "reference/project.h"
#include "reference/sh.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "tiny_dataset.h"

namespace splat {
namespace {

const SplatOperation& operation(std::string_view name) {
    for (const SplatOperation* row : splatOperations())
        if (row->name == name) return *row;
    throw InputError("no operation {}", name);
}

std::string tinyDataset() {
    static const test::TinyDataset data;
    return data.path().string();
}

/// A value that the row takes.
std::string validValue(const SplatOperation& row) {
    const std::map<std::string_view, std::string> texts{{"frame", "ply,opengl"}, {"grid", "3x2"}, {"seen", tinyDataset()}};
    if (row.min == row.max && row.value) return texts.at(row.name);
    std::string value = fmt::format("{}", row.max);
    for (const char c : std::string_view(row.value ? row.value : "")) value += c == ',' ? fmt::format(",{}", row.max) : "";
    return row.value ? value : "";
}

/// Splats with everything at random, and a column of extras that numbers them.
Gaussians someSplats(size_t count, int degree, uint64_t seed = 1) {
    Rng rng(seed);
    const auto within = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
    Gaussians g;
    addColumns(g.extras, 0, {{.name = "number", .type = PlyType::uint16, .values = {}}});
    g.resize(count, degree);
    for (size_t i = 0; i < count; ++i) {
        g.means[i] = {within(-5, 5), within(-5, 5), within(-5, 5)};
        g.rotations[i] = {within(0.1, 1), within(-1, 1), within(-1, 1), within(-1, 1)};
        g.logScales[i] = {within(-4, 1), within(-4, 1), within(-4, 1)};
        g.logitOpacities[i] = within(-5, 5);
        const auto number = static_cast<uint16_t>(i);
        std::memcpy(&g.extras[0].values[i * sizeof number], &number, sizeof number);
    }
    for (glm::vec3& sh : g.sh) sh = {within(-1, 1), within(-1, 1), within(-1, 1)};
    return g;
}

const LazyDevice kDevice{testDevice, []() -> const primitives::RadixSort& { return testSort(); }};

Gaussians changed(Gaussians gaussians, std::string_view name, std::string_view value = "", std::optional<float> number = {}) {
    changeOf(operation(name), value, name, number)(gaussians, kDevice);
    return gaussians;
}

/// Numbers of the splats before a change, which also shows that extras went along.
std::vector<size_t> numbersIn(const Gaussians& g) {
    std::vector<size_t> numbers;
    for (size_t i = 0; i < g.count(); ++i) numbers.push_back(static_cast<size_t>(numberOf(g.extras.at(0), i)));
    return numbers;
}

/// The change keeps exactly the splats for which the test holds, as they were and in their order.
template <class Keeps>
void expectKept(const Gaussians& before, std::string_view name, std::string_view value, Keeps keeps) {
    const Gaussians after = changed(before, name, value);
    std::vector<size_t> expected;
    for (size_t i = 0; i < before.count(); ++i)
        if (keeps(i)) expected.push_back(i);
    EXPECT_FALSE(expected.empty() || expected.size() == before.count()) << name << ": a poor test";
    ASSERT_EQ(numbersIn(after), expected) << name;
    for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(after.sh.at(after.sh.size() / after.count() * i), before.sh.at(before.sh.size() / before.count() * expected[i]));
}

TEST(SplatOperations, HaveNamesOfTheirOwnAndRefuseOtherValuesByName) {
    std::set<std::string_view> names;
    for (const SplatOperation* row : splatOperations()) {
        EXPECT_TRUE(names.insert(row->name).second) << row->name;
        EXPECT_NO_THROW(changeOf(*row, validValue(*row), row->name)) << row->name;
        if (!row->value) continue;
        for (const char* value : {"", "x", "nan", "1,", ",", "1e300", "1,2,3,4,5,6,7", "inf"}) {
            try {
                changeOf(*row, value, row->name);
                ADD_FAILURE() << row->name << " took '" << value << "'";
            } catch (const InputError& problem) {
                const std::string said = problem.what();
                EXPECT_TRUE(said.starts_with(fmt::format("{}: found '{}', ", row->name, value))) << said;
                EXPECT_NE(said.find("expected"), std::string::npos) << said;
            }
        }
    }
}

TEST(SplatOperations, LeaveAnEmptyModelEmptyAndKeepExtrasWithTheirSplats) {
    for (const SplatOperation* row : splatOperations()) {
        Gaussians none = someSplats(0, 2), some = someSplats(300, 2);
        changeOf(*row, validValue(*row), row->name)(none, kDevice);
        EXPECT_EQ(none.count(), 0u) << row->name;
        changeOf(*row, validValue(*row), row->name)(some, kDevice);
        EXPECT_EQ(some.extras.at(0).values.size(), 2 * some.count()) << row->name;
    }
}

TEST(SplatOperations, FiltersKeepWhatTheySay) {
    const Gaussians g = someSplats(5000, 1);
    expectKept(g, "box", "2,-3,1,-4,3,-5", [&](size_t i) {
        const glm::vec3 p = g.means[i];
        return p.x >= -4 && p.x <= 2 && p.y >= -3 && p.y <= 3 && p.z >= -5 && p.z <= 1;
    });
    expectKept(g, "sphere", "1,2,3,4", [&](size_t i) { return glm::distance(glm::dvec3(g.means[i]), glm::dvec3(1, 2, 3)) <= 4; });
    expectKept(g, "min-opacity", "0.25", [&](size_t i) { return opacityOfLogit(g.logitOpacities[i]) >= 0.25f; });
    expectKept(g, "max-size", "1.5", [&](size_t i) {
        const glm::vec3 s = glm::exp(g.logScales[i]);
        return std::max({s.x, s.y, s.z}) <= 1.5f;
    });
    Gaussians damaged = g;
    damaged.means[7].y = std::numeric_limits<float>::infinity();
    damaged.sh[2 * 4 + 3].z = std::numeric_limits<float>::quiet_NaN();
    damaged.rotations[4999] = glm::vec4(0);
    expectKept(damaged, "finite", "", [](size_t i) { return i != 7 && i != 2 && i != 4999; });
}

TEST(SplatOperations, DecimateMergesToTheNumberAndKeepsWhatIsThere) {
    const Gaussians before = someSplats(3000, 1);
    for (const size_t most : {1ul, 256ul, 1000ul, 2999ul, 3000ul, 4000ul}) {
        const Gaussians after = changed(before, "decimate", fmt::format("{}", most));
        ASSERT_EQ(after.count(), std::min<size_t>(most, before.count()));
        const std::vector<size_t> numbers = numbersIn(after);
        EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), after.count()) << "two splats have the extras of one";
    }
    Gaussians damaged = before;
    damaged.means[7].y = std::numeric_limits<float>::infinity();
    EXPECT_EQ(changed(damaged, "decimate", "1000").count(), 1000u);
}

TEST(SplatOperations, DecimationFirstDropsWhatIsNeverDrawn) {
    Gaussians g = someSplats(500, 1);
    for (size_t i = 0; i < g.count(); ++i) g.logitOpacities[i] = i % 5 == 0 ? -5.6f : -5.5f;  // on either side of 1/255
    expectKept(g, "decimate", "400", [](size_t i) { return i % 5 != 0; });
    expectKept(g, "decimate", "450", [](size_t i) { return i % 5 != 0; });
    EXPECT_EQ(changed(g, "decimate", "500").count(), 500u);
}

/// Mean squared distance to the eight nearest others, the plain way.
double meanSquaredDistance(const Gaussians& g, size_t i) {
    std::vector<double> squared;
    for (size_t k = 0; k < g.count(); ++k) {
        const glm::dvec3 d = glm::dvec3(g.means[i]) - glm::dvec3(g.means[k]);
        if (k != i) squared.push_back(glm::dot(d, d));
    }
    std::ranges::sort(squared);
    double sum = 0;
    for (size_t k = 0; k < 8; ++k) sum += squared[k];
    return sum / 8;
}

TEST(SplatOperations, IsolatedSplatsAreFarFromTheirEightNearest) {
    Gaussians g = someSplats(700, 0);
    for (const size_t i : {3u, 500u}) g.means[i] *= 20;
    std::vector<double> distances;
    for (size_t i = 0; i < g.count(); ++i) distances.push_back(std::sqrt(meanSquaredDistance(g, i)));
    std::vector<double> sorted = distances;
    std::ranges::sort(sorted);
    expectKept(g, "isolated", "1.7", [&](size_t i) { return distances[i] <= 1.7 * sorted[sorted.size() / 2]; });
    EXPECT_EQ(changed(g, "isolated", "10").count(), 698u);
    EXPECT_EQ(changed(someSplats(8, 0), "isolated", "1").count(), 8u) << "too few to tell";
    g.means[9].x = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(changed(g, "isolated", "10").count(), 697u);
}

TEST(SplatOperations, ALowerDegreeDropsCoefficientsAndAHigherOneAddsNone) {
    const Gaussians g = someSplats(50, 2);
    for (int degree = 0; degree <= kMaxShDegree; ++degree) {
        const Gaussians after = changed(g, "sh-degree", std::to_string(degree));
        ASSERT_EQ(after.shDegree, std::min(degree, 2));
        const size_t left = shCoefficients(after.shDegree);
        ASSERT_EQ(after.sh.size(), 50 * left);
        for (size_t i = 0; i < 50; ++i)
            for (size_t k = 0; k < left; ++k) EXPECT_EQ(after.sh[i * left + k], g.sh[i * 9 + k]);
    }
}

TEST(SplatOperations, MortonOrderShortensTheWayFromSplatToSplat) {
    const Gaussians g = someSplats(5000, 1);
    const Gaussians after = changed(g, "morton");
    std::vector<size_t> numbers = numbersIn(after);
    const auto way = [](const Gaussians& of) {
        double sum = 0;
        for (size_t i = 1; i < of.count(); ++i) sum += static_cast<double>(glm::distance(of.means[i - 1], of.means[i]));
        return sum;
    };
    EXPECT_LT(way(after), 0.2 * way(g));
    for (size_t i = 0; i < after.count(); ++i) EXPECT_EQ(after.means[i], g.means[numbers[i]]);
    std::ranges::sort(numbers);
    EXPECT_TRUE(std::ranges::unique(numbers).empty());
}

// --- Moves ---

/// Covariance of a splat in world space.
glm::dmat3 covariance(const Gaussians& g, size_t i) {
    const glm::dmat3 r = reference::rotationMatrix(glm::normalize(glm::dvec4(g.rotations[i])));
    const glm::dvec3 s = glm::exp(glm::dvec3(g.logScales[i]));
    const glm::dmat3 axes(r[0] * s.x, r[1] * s.y, r[2] * s.z);
    return axes * glm::transpose(axes);
}

glm::dvec3 colourFrom(const Gaussians& g, size_t i, const glm::dvec3& direction) {
    const auto basis = reference::shBasis(direction);
    glm::dvec3 sum(0);
    for (size_t k = 0; k < shCoefficients(g.shDegree); ++k) sum += basis[k] * glm::dvec3(g.sh[i * shCoefficients(g.shDegree) + k]);
    return sum;
}

/// `after` is `before` mapped by p -> linear * p + offset: places, shapes, and colours seen from the mapped direction.
void expectMapped(const Gaussians& before, const Gaussians& after, const glm::dmat3& linear, const glm::dvec3& offset = glm::dvec3(0)) {
    const double scale = std::cbrt(std::abs(glm::determinant(linear)));
    ASSERT_EQ(after.count(), before.count());
    for (size_t i = 0; i < before.count(); ++i) {
        EXPECT_LT(glm::distance(glm::dvec3(after.means[i]), linear * glm::dvec3(before.means[i]) + offset), 1e-5 * scale * 10);
        const glm::dmat3 wanted = linear * covariance(before, i) * glm::transpose(linear), found = covariance(after, i);
        for (int c = 0; c < 3; ++c) EXPECT_LT(glm::distance(found[c], wanted[c]), 2e-5 * scale * scale * 10) << i;
        for (const glm::dvec3& d : {glm::dvec3(1, 0, 0), glm::dvec3(0.6, 0, 0.8), glm::dvec3(0, 0.6, -0.8)})
            EXPECT_LT(glm::distance(colourFrom(after, i, linear * d / scale), colourFrom(before, i, d)), 2e-5) << i;
        EXPECT_EQ(after.logitOpacities[i], before.logitOpacities[i]);
    }
}

TEST(SplatOperations, MovesMapPlacesShapesAndColours) {
    const Gaussians g = someSplats(40, 3);
    expectMapped(g, changed(g, "translate", "1,-2,3"), glm::dmat3(1), {1, -2, 3});
    expectMapped(g, changed(g, "scale", "2.5"), glm::dmat3(2.5));
    const glm::dmat3 aboutZ(glm::dvec3(0, 1, 0), glm::dvec3(-1, 0, 0), glm::dvec3(0, 0, 1));  // x to y
    const glm::dmat3 aboutX(glm::dvec3(1, 0, 0), glm::dvec3(0, 0, 1), glm::dvec3(0, -1, 0));  // y to z
    expectMapped(g, changed(g, "rotate", "0,0,90"), aboutZ);
    expectMapped(g, changed(g, "rotate", "90,0,90"), aboutZ * aboutX);
}

TEST(SplatOperations, FramesGoByWhereTheirAxesPoint) {
    const Gaussians g = someSplats(40, 3);
    const glm::dmat3 halfTurn(glm::dvec3(1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, -1));
    expectMapped(g, changed(g, "frame", "ply,opengl"), halfTurn);
    expectMapped(g, changed(g, "frame", "RDF,RUB"), halfTurn);
    // A point 1 in front, 2 above, 3 to the right is (3, -2, 1) in a PLY, (3, 1, 2) in Blender, (3, 2, 1) in Unity, (1, 3, 2) in Unreal.
    const std::map<std::string, glm::vec3> places{{"ply", {3, -2, 1}},    {"colmap", {3, -2, 1}}, {"opencv", {3, -2, 1}},
                                                  {"opengl", {3, 2, -1}}, {"gltf", {3, 2, -1}},   {"three", {3, 2, -1}},
                                                  {"blender", {3, 1, 2}}, {"z-up", {3, 1, 2}},    {"unreal", {1, 3, 2}},
                                                  {"unity", {3, 2, 1}},   {"directx", {3, 2, 1}}, {"BLD", {-1, -3, -2}}};
    for (const auto& [from, at] : places)
        for (const auto& [to, wanted] : places) {
            SCOPED_TRACE(fmt::format("{} to {}", from, to));
            Gaussians there = g;
            there.means[0] = at;
            const Gaussians after = changed(there, "frame", fmt::format("{},{}", from, to));
            EXPECT_LT(glm::distance(after.means[0], wanted), 1e-5f);
            expectMapped(there, changed(after, "frame", fmt::format("{},{}", to, from)), glm::dmat3(1));
        }
    const glm::dmat3 mirror(glm::dvec3(1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, 1));
    expectMapped(g, changed(g, "frame", "ply,unity"), mirror);
}

TEST(SplatOperations, AFrameNeedsEachAxisOnce) {
    for (const char* value : {"ply", "ply,RRF", "ply,RU", "ply,ply,ply", "RDF,LRU", "XYZ,ply", "ply,UUU"})
        EXPECT_THROW(changeOf(operation("frame"), value, ""), InputError) << value;
}

}  // namespace
}  // namespace splat
