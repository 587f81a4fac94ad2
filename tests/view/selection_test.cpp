#include <splatwright/view/selection.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "marked_world.h"

namespace splat {
namespace {

/// Whether a gaussian is in a shape, in double precision and where it stands in the world; and whether it is so near to the border that
/// single precision may say otherwise.
struct Verdict {
    bool inside = false;
    bool near = false;
};

Verdict within(double distance, double limit, double margin) { return {distance <= limit, std::abs(distance - limit) < margin}; }

/// Where both hold.
Verdict both(Verdict a, Verdict b) { return {a.inside && b.inside, a.near || b.near}; }

constexpr double kPixels = 1e-3, kUnits = 1e-5;  // margins

double distanceToSegment(glm::dvec2 at, glm::dvec2 from, glm::dvec2 to) {
    const glm::dvec2 along = to - from, offset = at - from;
    if (glm::dot(offset, along) <= 0) return glm::length(offset);
    if (glm::dot(at - to, along) >= 0) return glm::distance(at, to);
    return std::abs(along.x * offset.y - along.y * offset.x) / glm::length(along);
}

/// Of an outline that does not cross itself: by the sum of the angles under which the edges are seen.
Verdict inOutline(glm::dvec2 at, const std::vector<glm::vec2>& points) {
    double turn = 0, nearest = 1e9;
    for (size_t i = 0; i < points.size(); ++i) {
        const glm::dvec2 from(points[i]), to(points[(i + 1) % points.size()]), a = from - at, b = to - at;
        turn += std::atan2(a.x * b.y - a.y * b.x, glm::dot(a, b));
        nearest = std::min(nearest, distanceToSegment(at, from, to));
    }
    return {std::abs(turn) > std::numbers::pi, nearest < kPixels};
}

struct Contains {
    glm::dvec3 point;  ///< of the world
    double opacity;
    glm::dvec3 colour;

    Verdict onImage(const Camera& camera, const auto& test) const {
        const glm::dvec3 p = camera.rotation * point + camera.translation;
        const Verdict inFront{p.z >= 0.01, std::abs(p.z - 0.01) < kUnits};
        return both(inFront, test(glm::dvec2(camera.fx * p.x / p.z + camera.cx, camera.fy * p.y / p.z + camera.cy)));
    }
    Verdict operator()(const ScreenRectangle& r) const {
        return onImage(r.camera, [&](glm::dvec2 at) {
            const glm::dvec2 low(glm::min(r.low, r.high)), high(glm::max(r.low, r.high)), middle = (low + high) / 2.0;
            const glm::dvec2 off = glm::abs(at - middle), half = (high - low) / 2.0;
            return both(within(off.x, half.x, kPixels), within(off.y, half.y, kPixels));
        });
    }
    Verdict operator()(const ScreenStroke& s) const {
        return onImage(s.camera, [&](glm::dvec2 at) {
            double nearest = glm::distance(at, glm::dvec2(s.points[0]));
            for (size_t i = 1; i < s.points.size(); ++i) nearest = std::min(nearest, distanceToSegment(at, s.points[i - 1], s.points[i]));
            return within(nearest, s.radius, kPixels);
        });
    }
    Verdict operator()(const ScreenPolygon& p) const {
        return onImage(p.camera, [&](glm::dvec2 at) { return inOutline(at, p.points); });
    }
    Verdict operator()(const WorldSphere& s) const { return within(glm::distance(point, s.centre), s.radius, kUnits); }
    Verdict operator()(const WorldBox& b) const {
        const glm::dvec3 local = glm::conjugate(glm::normalize(b.rotation)) * (point - b.centre);
        Verdict verdict{true, false};
        for (int axis = 0; axis < 3; ++axis) verdict = both(verdict, within(std::abs(local[axis]), b.halfSize[axis], kUnits));
        return verdict;
    }
    Verdict operator()(const ScreenMask& m) const {
        return onImage(m.camera, [&](glm::dvec2 at) -> Verdict {
            const auto isSet = [&](glm::dvec2 pixel) {
                if (pixel.x < 0 || pixel.y < 0 || pixel.x >= m.camera.width || pixel.y >= m.camera.height) return false;
                const auto x = static_cast<size_t>(pixel.x), y = static_cast<size_t>(pixel.y);
                const size_t row = (static_cast<size_t>(m.camera.width) + 31) / 32;
                return (m.words[y * row + x / 32] >> (x % 32) & 1u) != 0;
            };
            const bool inside = isSet(at);
            bool near = false;
            for (const double x : {-kPixels, kPixels})
                for (const double y : {-kPixels, kPixels}) near = near || isSet(at + glm::dvec2(x, y)) != inside;
            return {inside, near};
        });
    }
    Verdict operator()(const ColourRange& r) const {
        Verdict verdict{true, false};
        for (int k = 0; k < 3; ++k) verdict = both(verdict, within(std::abs(colour[k] - double{r.colour[k]}), r.tolerance, kUnits));
        return verdict;
    }
    Verdict operator()(const NumberRange&) const { return {}; }  // has a test of its own
    Verdict operator()(const OpacityRange& r) const { return both(within(opacity, r.high, 1e-6), within(-opacity, -r.low, 1e-6)); }
};

bool combined(Combine combine, bool was, bool inside) {
    switch (combine) {
        case Combine::set: return inside;
        case Combine::add: return was || inside;
        case Combine::remove: return was && !inside;
        case Combine::intersect: return was && inside;
    }
    return false;
}

struct ShapeCase {
    const char* name;
    SelectionShape (*make)(const Camera& camera, glm::dvec3 centre);
};

void PrintTo(const ShapeCase& shape, std::ostream* os) { *os << shape.name; }

const std::array kShapes{
    ShapeCase{"rectangle",
              [](const Camera& c, glm::dvec3) -> SelectionShape {
                  return ScreenRectangle{c, {90, 20.5f}, {30, 70}};
              }},
    ShapeCase{"stroke",
              [](const Camera& c, glm::dvec3) -> SelectionShape {
                  return ScreenStroke{c, {{10, 10}, {60, 40}, {60, 40}, {120, 30}, {100, 90}}, 9};
              }},
    ShapeCase{"dot",
              [](const Camera& c, glm::dvec3) -> SelectionShape {
                  return ScreenStroke{c, {{64, 48}}, 25};
              }},
    ShapeCase{"polygon",
              [](const Camera& c, glm::dvec3) -> SelectionShape {
                  return ScreenPolygon{c, {{10, 10}, {110, 20}, {50, 40}, {120, 80}, {20, 90}, {40, 50}}};
              }},
    ShapeCase{"sphere",
              [](const Camera&, glm::dvec3 centre) -> SelectionShape {
                  return WorldSphere{centre, 1.5};
              }},
    ShapeCase{"box",
              [](const Camera&, glm::dvec3 centre) -> SelectionShape {
                  return WorldBox{centre, {1, 1.5, 2}, glm::angleAxis(0.7, glm::normalize(glm::dvec3(1, 2, 3))) * 3.0};
              }},
    ShapeCase{"mask",
              [](const Camera& c, glm::dvec3) -> SelectionShape {
                  // Squares of 4x4 pixels: with a border at every pixel, single precision would decide on too many.
                  std::vector<uint32_t> words;
                  for (uint32_t i = 0; i < 4 * 96; ++i) words.push_back(0xf * (((i / 16 * 4 + i % 4) * 2654435761u) >> 3 & 0x11111111u));
                  return ScreenMask{c, words};
              }},
    ShapeCase{"colour",
              [](const Camera&, glm::dvec3) -> SelectionShape {
                  return ColourRange{{0.6f, 0.5f, 0.4f}, 0.25f};
              }},
    ShapeCase{"opacity",
              [](const Camera&, glm::dvec3) -> SelectionShape {
                  return OpacityRange{0.4f, 0.8f};
              }},
};

class EveryShape : public testing::TestWithParam<ShapeCase> {
protected:
    /// What a selection should leave of the flags, or no value where single precision may say otherwise.
    static std::vector<std::optional<uint32_t>> expected(const SelectionShape& shape, Combine combine, const Gaussians& g,
                                                         const ModelTransform& transform, const Flags& before) {
        std::vector<std::optional<uint32_t>> after;
        for (size_t i = 0; i < g.count(); ++i) {
            const double opacity = 1 / (1 + std::exp(-static_cast<double>(g.logitOpacities[i])));
            const Verdict verdict = std::visit(Contains{transformed(glm::dvec3(g.means[i]), transform), opacity,
                                                        0.5 + 0.28209479177387814 * glm::dvec3(g.sh[i * shCoefficients(g.shDegree)])},
                                               shape);
            const bool takesPart = (before[i] & ~shared::kMarkSelected) == 0;
            if (!takesPart)
                after.emplace_back(before[i]);
            else if (verdict.near)
                after.emplace_back();
            else
                after.emplace_back(combined(combine, before[i] != 0, verdict.inside) ? shared::kMarkSelected : 0u);
        }
        return after;
    }

    static size_t expectFlags(const Flags& found, const std::vector<std::optional<uint32_t>>& wanted) {
        size_t selected = 0, unsure = 0;
        for (size_t i = 0; i < found.size(); ++i) {
            selected += found[i] == shared::kMarkSelected ? 1u : 0u;
            unsure += wanted[i] ? 0u : 1u;
            EXPECT_EQ(found[i], wanted[i].value_or(found[i])) << "gaussian " << i;
        }
        EXPECT_LE(unsure, 1 + found.size() / 100);
        return selected;
    }
};

TEST_P(EveryShape, SelectsWhatTheReferenceDoesAndComesBack) {
    for (const size_t count : std::initializer_list<size_t>{255, 256, 257, 2047, 2048, 2049, 5000}) {
        for (const Combine combine : {Combine::set, Combine::add, Combine::remove, Combine::intersect}) {
            SCOPED_TRACE(fmt::format("{} gaussians, operation {}", count, static_cast<uint32_t>(combine)));
            MarkedWorld w(count);
            w.scatterFlags(count + static_cast<uint32_t>(combine));
            const auto before = w.allFlags();
            const SelectionShape shape =
                GetParam().make(w.scene.camera, transformed(w.world[w.first].extent.centre, w.world[w.first].transform));

            w.history.select(shape, combine);
            const auto after = w.allFlags();
            const size_t selected =
                expectFlags(after[w.first], expected(shape, combine, w.scene.gaussians, w.world[w.first].transform, before[w.first]));
            expectFlags(after[w.second], expected(shape, combine, w.other, w.world[w.second].transform, before[w.second]));
            EXPECT_GT(selected, count / 100) << "of the first model";
            EXPECT_LT(selected, count - count / 100);
            EXPECT_EQ(after[w.unseen], before[w.unseen]);
            EXPECT_EQ(after[w.live], before[w.live]);

            w.history.undo();
            EXPECT_EQ(w.allFlags(), before);
            w.history.redo();
            EXPECT_EQ(w.allFlags(), after);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryShape, testing::ValuesIn(kShapes), [](const auto& shape) { return shape.param.name; });

/// Gaussians in a row, one unit apart, seen from far: they come to lie at pixels (10, 50), (20, 50), ...
struct Row {
    Row() : world(testDevice()), history(testDevice(), world) {
        Gaussians g;
        g.resize(9, 0);
        for (size_t i = 0; i < 9; ++i) g.means[i] = glm::vec3(static_cast<float>(i) - 4, 0, 10);
        model = world.add("row", g);
    }
    std::vector<size_t> selected(const SelectionShape& shape) {
        history.select(shape, Combine::set);
        const WorldModel& m = world[model];
        const auto words = testDevice().download<uint32_t>(world.marks().slice(m.first * sizeof(uint32_t), 9 * sizeof(uint32_t)), 9);
        std::vector<size_t> found;
        for (size_t i = 0; i < 9; ++i)
            if (words[i] & shared::kMarkSelected) found.push_back(i);
        return found;
    }

    World world;
    EditHistory history;
    World::Id model = 0;
    Camera camera{.width = 100, .height = 100, .fx = 100, .fy = 100, .cx = 50, .cy = 50};
};

using Indices = std::vector<size_t>;

/// What a selection in one model only leaves of the others: nothing where it replaces the one before, else what was there.
TEST(Selection, OfOneModelIsThatOfAllInItAndEndsOrStaysInOthers) {
    for (const Combine combine : {Combine::set, Combine::add, Combine::remove, Combine::intersect}) {
        SCOPED_TRACE(static_cast<uint32_t>(combine));
        MarkedWorld all(300), one(300);
        all.scatterFlags(3);
        one.scatterFlags(3);
        const auto before = one.allFlags();
        const ScreenRectangle shape{one.scene.camera, {90, 20.5f}, {30, 70}};
        all.history.select(shape, combine);
        one.history.select(shape, combine, one.first);
        const auto after = one.allFlags();
        Flags others = before[one.second];
        if (combine == Combine::set || combine == Combine::intersect)
            for (uint32_t& word : others) word &= ~shared::kMarkSelected;
        EXPECT_EQ(after[one.first], all.flags(all.first));
        EXPECT_NE(after[one.first], before[one.first]);
        EXPECT_EQ(after[one.second], others);
        EXPECT_EQ(after[one.unseen], before[one.unseen]);
        EXPECT_EQ(after[one.live], before[one.live]);
        one.history.undo();
        EXPECT_EQ(one.allFlags(), before);
        one.history.redo();
        EXPECT_EQ(one.allFlags(), after);
    }
}

TEST(Selection, AgreesWithARowByHand) {
    Row row;
    EXPECT_EQ(row.selected(ScreenRectangle{row.camera, {15, 40}, {35, 60}}), (Indices{1, 2}));
    EXPECT_EQ(row.selected(ScreenStroke{row.camera, {{50, 52}}, 11}), (Indices{3, 4, 5}));
    EXPECT_EQ(row.selected(ScreenStroke{row.camera, {{60, 0}, {60, 49}}, 2}), (Indices{5}));
    EXPECT_EQ(row.selected(ScreenPolygon{row.camera, {{0, 0}, {25, 0}, {25, 99}, {0, 99}}}), (Indices{0, 1}));
    EXPECT_EQ(row.selected(WorldSphere{{4, 0, 10}, 1.5}), (Indices{7, 8}));
    EXPECT_EQ(row.selected(WorldBox{{-4, 0, 10}, {0.5, 2.5, 0.5}, glm::angleAxis(std::numbers::pi / 2, glm::dvec3(0, 0, 1))}),
              (Indices{0, 1, 2}));
    EXPECT_EQ(row.selected(OpacityRange{0.5f, 0.5f}).size(), 9u);
    EXPECT_EQ(row.selected(OpacityRange{0.6f, 1}), Indices{});
}

TEST(Selection, WhereALassoCrossesItselfEveryOtherPartIsOut) {
    Row row;
    // Around pixels 15 to 85, and once more around 35 to 65.
    EXPECT_EQ(row.selected(ScreenPolygon{row.camera,
                                         {{15, 0}, {85, 0}, {85, 99}, {15, 99}, {15, 0}, {35, 1}, {65, 1}, {65, 98}, {35, 98}, {35, 1}}}),
              (Indices{1, 2, 6, 7}));
    EXPECT_EQ(row.selected(ScreenPolygon{row.camera, {{0, 0}, {99, 99}}}), Indices{});
    EXPECT_EQ(row.selected(ScreenPolygon{row.camera, {}}), Indices{});
}

TEST(Selection, NothingBehindTheCameraIsOnTheImage) {
    Row row;
    row.camera.translation = {0, 0, -20};
    EXPECT_EQ(row.selected(ScreenRectangle{row.camera, {-1000, -1000}, {1000, 1000}}), Indices{});
    EXPECT_EQ(row.selected(ScreenStroke{row.camera, {{50, 50}}, 1000}), Indices{});
}

TEST(Selection, OfNumbersTakesBothEndsInAndLeavesOutWhatHasNone) {
    Row row;
    const std::vector<float> values{0, 1, 2, NAN, 4, -1, 6, std::numeric_limits<float>::infinity(), 8};
    const gpu::Buffer numbers = testDevice().buffer<float>("numbers", values.size());
    testDevice().upload(numbers, values);
    const auto between = [&](float low, float high) { return row.selected(NumberRange{numbers, low, high}); };
    EXPECT_EQ(between(1, 6), (Indices{1, 2, 4, 6}));
    EXPECT_EQ(between(0, std::numeric_limits<float>::max()), (Indices{0, 1, 2, 4, 6, 8}));
    EXPECT_EQ(between(-9, 0), (Indices{0}));
    EXPECT_EQ(between(3, 2), Indices{});
}

TEST(Selection, OfAMaskIsWhatLiesBehindItsPixels) {
    Row row;
    row.camera.cx += 0.5;  // to the pixels' centres
    row.camera.cy += 0.5;
    std::vector<uint32_t> words(size_t{4} * 100, 0);
    for (const uint32_t x : {10u, 40u, 80u}) words[size_t{4} * 50 + x / 32] |= 1u << (x % 32);
    words[size_t{4} * 51 + 2] = ~0u;  // a row below: nobody is there
    EXPECT_EQ(row.selected(ScreenMask{row.camera, words}), (Indices{0, 3, 7}));
    row.camera.translation = {0, 0, -20};
    EXPECT_EQ(row.selected(ScreenMask{row.camera, std::vector<uint32_t>(words.size(), ~0u)}), Indices{}) << "behind the camera";
}

TEST(Selection, LeavesLockedModelsAsTheyAre) {
    MarkedWorld w(300);
    w.scatterFlags(5);
    const auto before = w.allFlags();
    w.world.setLocked(w.first, true);
    w.history.select(OpacityRange{0, 1}, Combine::set);
    for (const MarkEdit edit : {MarkEdit::hide, MarkEdit::selectAll, MarkEdit::deleteSelected, MarkEdit::unhide, MarkEdit::crop})
        w.history.edit(edit);
    EXPECT_EQ(w.flags(w.first), before[w.first]);
    EXPECT_NE(w.flags(w.second), before[w.second]);
    w.world.setLocked(w.first, false);
    w.history.select(OpacityRange{0, 1}, Combine::set);
    EXPECT_NE(w.flags(w.first), before[w.first]);
}

}  // namespace
}  // namespace splat
