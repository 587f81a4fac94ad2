// Every picture of the table against what the double reference makes of the same splats.
#include <splatwright/view/render_modes.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/shared/training.h>
#include <splatwright/view/picture_reader.h>
#include "picture_reference.h"
#include "world_scene.h"

namespace splat {
namespace {

/// Numbers at the ends of the colour map, so that most of a picture lies between.
const std::map<std::string_view, glm::dvec2> kRanges{{"depth", {2, 6}},        {"alpha", {0, 1}},   {"splats", {0, 30}},
                                                     {"tile-splats", {0, 80}}, {"opacity", {0, 1}}, {"gradient", {0, 1}},
                                                     {"radius", {0, 60}},      {"error", {0, 0.8}}};

/// A world of one live model, so that there are gradients too, and everything that its pictures come from.
struct Stage {
    explicit Stage(bool selected)
        : scene(reference::makeMixedScene(150, 100, 75, 11)),
          source(testDevice(), count()),
          densifyStatistics(testDevice().buffer<shared::DensifyStatistics>("densification statistics", count())),
          groundTruth(testDevice().buffer<uint32_t>("ground truth", pixels())) {
        source.upload(testDevice(), scene.gaussians);
        std::vector<shared::DensifyStatistics> statistics(count());
        for (uint32_t i = 0; i < count(); ++i) {
            statistics[i] = {.gradient = 0.05f * static_cast<float>(i % 37), .views = static_cast<float>(i % 4)};
            gradients.push_back(statistics[i].gradient / std::max(1.0, static_cast<double>(i % 4)));
        }
        testDevice().upload(densifyStatistics, statistics);
        for (size_t i = 0; i < pixels(); ++i) words.push_back(static_cast<uint32_t>(i * 2654435761u));
        testDevice().upload(groundTruth, words);
        const World::Id id = world.world.addLive("in training", count());
        world.world.setTint(id, {0.2f, 0.9f, 0.4f});
        world.world.refresh(id, source, 3, densifyStatistics);
        if (selected)
            for (uint32_t i = 0; i < count(); ++i) world.mark(i, shared::kMarkSelected);
        world.view.groundTruth = {groundTruth, {scene.camera.width, scene.camera.height}};
        world.view.settings.autoRange = false;
        world.view.outline = kOutline;
    }
    uint32_t count() const { return static_cast<uint32_t>(scene.gaussians.count()); }
    size_t pixels() const { return static_cast<size_t>(scene.camera.width * scene.camera.height); }

    Ingredients ingredients(bool selected) {
        Ingredients in = ingredientsOf(scene.gaussians, scene.camera, world.view.settings);
        in.gradients = gradients;
        in.tint = glm::vec3(0.2f, 0.9f, 0.4f);
        in.selected = selected;
        in.outline = kOutline;
        in.groundTruth = words;
        const auto ranges = testDevice().download<glm::uvec2>(world.view.frame().tileRanges, 7 * 5);
        for (const glm::uvec2 range : ranges) in.listed.push_back(range.y - range.x);
        return in;
    }

    static constexpr int kOutline = 2;  ///< pixels
    reference::Scene scene;
    GaussianModel source;
    gpu::Buffer densifyStatistics, groundTruth;
    std::vector<double> gradients;
    Words words;
    WorldScene world;
};

class PictureRows : public testing::TestWithParam<std::string_view> {};

TEST_P(PictureRows, AgreeWithTheDoubleReference) {
    for (const bool selected : {false, true}) {
        Stage stage(selected);
        if (kRanges.contains(GetParam())) {
            stage.world.view.settings.rangeLow = kRanges.at(GetParam()).x;
            stage.world.view.settings.rangeHigh = kRanges.at(GetParam()).y;
        }
        const Words found = stage.world.draw(stage.scene.camera, std::string(GetParam()));
        EXPECT_EQ(stage.world.view.missing(), "");
        const Comparison c = compare(found, stage.ingredients(selected), pictureReferences().at(GetParam()));
        EXPECT_EQ(c.off, 0u) << c.first << (selected ? ", all selected" : "");
        EXPECT_LT(c.open, stage.pixels() / 4);
    }
}

INSTANTIATE_TEST_SUITE_P(All, PictureRows, testing::ValuesIn(renderModeNames()), [](const auto& p) {
    std::string name(p.param);
    std::ranges::replace(name, '-', '_');
    return name;
});

/// A picture of depths by a colour map, over the background where there is nothing.
Words depths(Stage& stage, double low, double high) {
    stage.world.view.settings.autoRange = low >= high;
    stage.world.view.settings.rangeLow = low;
    stage.world.view.settings.rangeHigh = high;
    return stage.world.draw(stage.scene.camera, "depth");
}

TEST(Pictures, AnAutomaticRangeSpreadsFromTheLeastNumberToTheLargest) {
    Stage stage(false);
    const Words automatic = depths(stage, 0, 0);
    const auto reports = stage.world.view.reports();
    ASSERT_TRUE(reports.back().range.has_value());
    const auto [low, high] = *reports.back().range;
    const Ingredients in = stage.ingredients(false);
    double least = 1e9, largest = 0;
    for (int y = 0; y < in.camera.height; ++y) {
        for (int x = 0; x < in.camera.width; ++x) {
            const auto walk = trace(in, {x, y});
            double sum = 0;
            for (const auto& c : walk.contributions) sum += in.projected[c.splat].depth * c.alpha.value * c.transmittance;
            if (walk.contributions.empty()) continue;
            least = std::min(least, sum / (1 - walk.transmittance));
            largest = std::max(largest, sum / (1 - walk.transmittance));
        }
    }
    EXPECT_NEAR(low, least, 1e-3);
    EXPECT_NEAR(high, largest, 1e-3);
    EXPECT_EQ(automatic, depths(stage, low, high));
}

TEST(Pictures, ARangeTakesInEveryPixelOfAnyNumberOfThem) {
    for (const glm::ivec2 size : {glm::ivec2(1, 1), {255, 1}, {16, 16}, {257, 1}, {171, 3}}) {
        const reference::Scene scene = reference::makeMixedScene(60, size.x, size.y, 5);
        WorldScene world(scene.gaussians);
        world.draw(scene.camera, "tile-splats");
        const auto ranges = testDevice().download<glm::uvec2>(
            world.view.frame().tileRanges, tileGrid(static_cast<uint32_t>(size.x), static_cast<uint32_t>(size.y)).count());
        uint32_t largest = 0;
        for (const glm::uvec2 range : ranges) largest = std::max(largest, range.y - range.x);
        const auto found = world.view.reports().back().range;
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(*found, std::pair(0.0F, static_cast<float>(largest))) << size.x << "x" << size.y;
    }
}

/// The numbers of a picture's pixels that have one.
std::vector<float> numbersOf(WorldScene& world) {
    std::vector<float> numbers;
    for (uint32_t y = 0; y < world.view.size().y; ++y) {
        for (uint32_t x = 0; x < world.view.size().x; ++x) {
            world.view.askNumber({x, y});
            testDevice().run("wait for the number", [](gpu::Commands&) {});
            const auto found = world.view.number();
            EXPECT_TRUE(found && found->pixel == glm::uvec2(x, y)) << x << "," << y;
            if (found && found->value) numbers.push_back(*found->value);
        }
    }
    return numbers;
}

TEST(Pictures, ThePointersNumberIsThatOfTheFileOfValues) {
    reference::Scene scene = reference::makeMixedScene(4, 24, 18, 5);
    for (glm::vec3& scale : scene.gaussians.logScales) scale = glm::vec3(-5);  // so small that most pixels have none
    for (const std::string mode : {"depth", "alpha", "splats", "tile-splats"}) {
        WorldScene world(scene.gaussians);
        world.draw(scene.camera, mode);
        const ImageF values = PictureReader(testDevice()).values(world.view);
        size_t none = 0;
        for (int y = 0; y < values.height; ++y) {
            for (int x = 0; x < values.width; ++x) {
                world.view.askNumber({x, y});
                testDevice().run("wait for the number", [](gpu::Commands&) {});
                const auto found = world.view.number();
                ASSERT_TRUE(found.has_value());
                EXPECT_EQ(found->value.value_or(0), values.at(x, y)[0]) << mode << " " << x << "," << y;
                none += found->value ? 0u : 1u;
            }
        }
        EXPECT_EQ(none > 0, mode == "depth") << mode << ": a mean of no splats is no number";
    }
}

TEST(Pictures, TheNumberOfAPixelOutsideIsNoQuestion) {
    const reference::Scene scene = reference::makeMixedScene(20, 24, 18, 5);
    WorldScene world(scene.gaussians);
    world.draw(scene.camera, "depth");
    for (const glm::uvec2 pixel : {glm::uvec2(24, 0), {0, 18}, {UINT32_MAX, 3}}) world.view.askNumber(pixel);
    world.draw(scene.camera, "colour");
    world.view.askNumber({3, 3});
    testDevice().run("wait for numbers", [](gpu::Commands&) {});
    EXPECT_FALSE(world.view.number());
}

TEST(Pictures, ARangeOfPercentilesLeavesAHundredthOutAtBothEnds) {
    for (const glm::ivec2 size : {glm::ivec2(16, 16), {257, 1}, {61, 43}}) {
        const reference::Scene scene = reference::makeMixedScene(60, size.x, size.y, 5);
        for (const std::string mode : {"depth", "splats"}) {
            WorldScene world(scene.gaussians);
            world.view.settings.rangeSpan = "percentiles";
            const Words automatic = world.draw(scene.camera, mode);
            const auto range = world.view.reports().back().range;
            auto numbers = numbersOf(world);
            ASSERT_TRUE(range.has_value() && !numbers.empty());
            std::ranges::sort(numbers);
            const size_t off = (numbers.size() - 1) / 100;
            EXPECT_EQ(range->first, mode == "splats" ? 0 : numbers[off]) << mode << " " << size.x << "x" << size.y;
            EXPECT_EQ(range->second, numbers[numbers.size() - 1 - off]) << mode << " " << size.x << "x" << size.y;
            world.view.settings.autoRange = false;
            std::tie(world.view.settings.rangeLow, world.view.settings.rangeHigh) = *range;
            EXPECT_EQ(world.draw(scene.camera, mode), automatic);
        }
    }
}

TEST(Pictures, LogarithmsSpreadTheColourMapOverRatios) {
    const std::pair range(0.01, 100.0);
    for (const double place : {0.0, 0.25, 0.5, 1.0}) {
        const double value = valueAtPlace(place, range, true);
        EXPECT_NEAR(value, std::pow(10, 4 * place - 2), 1e-9 * value);
        EXPECT_NEAR(placeInRange(value, range, true), place, 1e-12);
        EXPECT_NEAR(placeInRange(valueAtPlace(place, range, false), range, false), place, 1e-12);
    }
    EXPECT_EQ(placeInRange(0, range, true), 0) << "below the range";
    EXPECT_EQ(placeInRange(3, {5, 5}, true), 0);
    EXPECT_EQ(mappedRange({0, 50}, true), std::pair(50 * shared::kLeastLogarithmicPart, 50.0)) << "zero has no logarithm";
    EXPECT_EQ(mappedRange({2, 50}, true), std::pair(2.0, 50.0));
    EXPECT_EQ(mappedRange({0, 50}, false), std::pair(0.0, 50.0));
}

TEST(Pictures, ALogarithmicColourMapIsThatOfTheLegend) {
    Stage stage(false);
    RenderSettings& settings = stage.world.view.settings;
    settings.valueScale = "logarithmic";
    const Words found = stage.world.draw(stage.scene.camera, "tile-splats");
    const auto range = mappedRange({settings.rangeLow = 0, settings.rangeHigh = 80}, true);
    const Words shown = stage.world.draw(stage.scene.camera, "tile-splats");
    const ImageF values = PictureReader(testDevice()).values(stage.world.view);
    EXPECT_NE(shown, found);
    for (int y = 3; y < values.height; y += 5) {
        for (int x = 3; x < values.width; x += 5) {
            const glm::vec3 legend = mappedColour(placeInRange(values.at(x, y)[0], range, true), settings.colourMap) * 255.0F;
            const glm::ivec3 colour = channelsOf(shown[static_cast<size_t>(y * values.width + x)]);
            for (int k = 0; k < 3; ++k) EXPECT_NEAR(colour[k], legend[k], 1.5) << x << "," << y;
        }
    }
}

/// The colour of one number: that of an opacity, of a splat over the whole picture.
glm::ivec3 colourOf(double number, const std::string& map) {
    Gaussians one;
    one.resize(1, 0);
    one.means[0] = {0, 0, 3};
    one.rotations[0] = {1, 0, 0, 0};
    one.logScales[0] = glm::vec3(5);
    one.logitOpacities[0] = 12;
    WorldScene world(one);
    world.view.settings.colourMap = map;
    world.view.settings.autoRange = false;
    world.view.settings.rangeLow = 1 - number;  // the opacity is one
    world.view.settings.rangeHigh = 2 - number;
    world.view.settings.background = {0, 0, 0};
    const Words words = world.draw({.width = 8, .height = 8, .fx = 8, .fy = 8, .cx = 4, .cy = 4}, "opacity");
    return channelsOf(words[4 * 8 + 4]);
}

/// Turbo's polynomial is its authors' own, but keeps its distance from their table towards the ends.
TEST(Pictures, ColourMapsComeNearThePublishedTables) {
    const std::map<std::string, double> tolerances{{"inferno", 6}, {"viridis", 5}, {"turbo", 33}};
    struct Sample {
        std::string map;
        double number;
        glm::dvec3 colour;  ///< of the published table
    };
    for (const Sample& sample : {Sample{"inferno", 0, {0, 0, 4}},
                                 {"inferno", 0.25, {87, 16, 110}},
                                 {"inferno", 0.5, {188, 55, 84}},
                                 {"inferno", 0.75, {249, 142, 9}},
                                 {"inferno", 1, {252, 255, 164}},
                                 {"viridis", 0, {68, 1, 84}},
                                 {"viridis", 0.25, {59, 82, 139}},
                                 {"viridis", 0.5, {33, 145, 140}},
                                 {"viridis", 0.75, {94, 201, 98}},
                                 {"viridis", 1, {253, 231, 37}},
                                 {"turbo", 0, {48, 18, 59}},
                                 {"turbo", 0.5, {164, 252, 60}},
                                 {"turbo", 1, {122, 4, 3}}}) {
        const glm::dvec3 found = glm::dvec3(colourOf(sample.number, sample.map)) / 0.99;  // the splat's alpha
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(found[k], sample.colour[k], tolerances.at(sample.map)) << sample.map << " " << sample.number << " " << k;
    }
}

TEST(Pictures, ALegendsColoursAreThoseOfThePicture) {
    for (const std::string_view map : colourMapNames()) {
        for (const double number : {0.0, 0.2, 0.45, 0.7, 1.0}) {
            const glm::dvec3 found = colourOf(number, std::string(map)), legend = glm::dvec3(mappedColour(number, map)) * 255.0 * 0.99;
            for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], legend[k], 1.5) << map << " " << number << " " << k;
        }
    }
    EXPECT_THROW(mappedColour(0, "rainbow"), InputError);
}

TEST(Pictures, HeatMapsStartAtBlackWhichIsZero) {
    EXPECT_LT(glm::length(mappedColour(0, RenderSettings().colourMap)), 0.01F);
    const reference::Scene scene = reference::makeMixedScene(60, 64, 48, 5);
    size_t heatMaps = 0;
    for (const RenderMode& row : renderModes()) {
        if (!row.fromZero || row.need != RenderModeNeed::nothing) continue;
        ++heatMaps;
        Gaussians near = scene.gaussians;
        for (float& opacity : near.logitOpacities) opacity = 3;
        for (glm::vec3& scale : near.logScales) scale += 3.0F;  // every pixel has a number above zero
        WorldScene world(near);
        world.draw(scene.camera, std::string(row.name));
        const auto range = world.view.reports().back().range;
        ASSERT_TRUE(range.has_value()) << row.name;
        EXPECT_EQ(range->first, 0) << row.name;
        EXPECT_GT(range->second, 0) << row.name;
    }
    EXPECT_GE(heatMaps, 3u);
}

/// Two opaque splats beside each other, the left one selected.
struct TwoSplats {
    TwoSplats() {
        Gaussians two;
        two.resize(2, 0);
        for (size_t i = 0; i < 2; ++i) {
            two.means[i] = {i == 0 ? -1 : 1, 0, 4};
            two.rotations[i] = {1, 0, 0, 0};
            two.logScales[i] = glm::vec3(-1.5F);
            two.logitOpacities[i] = 6;
        }
        world.world.add("two", two);
        world.mark(0, shared::kMarkSelected);
    }
    Camera camera{.width = 96, .height = 64, .fx = 80, .fy = 80, .cx = 48, .cy = 32};
    WorldScene world;
};

TEST(Pictures, TheSelectionIsOutlinedInEveryPictureAndNothingElseIs) {
    for (const RenderMode& row : renderModes()) {
        if (row.need != RenderModeNeed::nothing) continue;
        TwoSplats two;
        two.world.view.settings.centreSize = 9;
        two.world.view.outline = 2;
        const Words outlined = two.world.draw(two.camera, std::string(row.name));
        two.world.view.outline = 0;
        const Words plain = two.world.draw(two.camera);
        size_t white = 0, black = 0;
        for (size_t i = 0; i < plain.size(); ++i) {
            if (outlined[i] == plain[i]) continue;
            EXPECT_LT(i % 96, 48u) << row.name;
            EXPECT_TRUE(outlined[i] == 0xffffffffu || outlined[i] == 0xff000000u) << row.name;
            white += outlined[i] == 0xffffffffu;
            black += outlined[i] == 0xff000000u;
        }
        EXPECT_GT(white, 40u) << row.name;
        EXPECT_GT(black + (row.fromZero ? 40u : 0u), 20u) << row.name;  // around it such a picture is black anyway
        two.world.mark(0, 0);
        const Words unselected = two.world.draw(two.camera);
        two.world.view.outline = 2;
        EXPECT_EQ(two.world.draw(two.camera), unselected) << row.name;
    }
}

TEST(Pictures, ASelectionChangesNoNumber) {
    for (const RenderMode& row : renderModes()) {
        if (!row.isNumber() || row.need != RenderModeNeed::nothing) continue;
        TwoSplats two;
        const Words selected = two.world.draw(two.camera, std::string(row.name));
        two.world.mark(0, 0);
        EXPECT_EQ(two.world.draw(two.camera), selected) << row.name;
    }
}

TEST(Pictures, RightOfTheSplitTheGroundTruthShows) {
    Stage stage(false);
    const Words drawn = stage.world.draw(stage.scene.camera, "colour");
    for (const double split : {0.0, 0.333, 1.0}) {
        stage.world.view.settings.split = split;
        const Words found = stage.world.draw(stage.scene.camera, "colour");
        const auto width = static_cast<size_t>(stage.scene.camera.width);
        for (size_t i = 0; i < found.size(); ++i) {
            const bool right = static_cast<double>(i % width) >= split * static_cast<double>(width);
            ASSERT_EQ(found[i], right ? stage.words[i] | 0xff000000u : drawn[i]) << split << " " << i;
        }
    }
}

TEST(Pictures, OneThatMissesWhatItNeedsSaysSoAndShowsTheColour) {
    const reference::Scene scene = reference::makeMixedScene(50, 64, 48);
    WorldScene world(scene.gaussians);
    const Words expected = rendered(scene.gaussians, scene.camera);
    for (const std::string name : {"gradient", "error"}) {
        EXPECT_EQ(world.draw(scene.camera, name), expected);
        EXPECT_NE(world.view.missing(), "") << name;
    }
    world.draw(scene.camera, "depth");
    EXPECT_EQ(world.view.missing(), "");
}

/// The scene's splats for which a condition on the projected splat holds.
Gaussians those(const reference::Scene& scene, const std::function<bool(const reference::Projected&, size_t)>& condition) {
    const auto projected = reference::projectAll(reference::fromGaussians(scene.gaussians), scene.camera, {});
    Gaussians kept = part(scene.gaussians, 0, 0);
    for (size_t i = 0; i < projected.size(); ++i) {
        if (!condition(projected[i], i)) continue;
        const Gaussians one = part(scene.gaussians, i, i + 1);
        kept.means.push_back(one.means[0]);
        kept.rotations.push_back(one.rotations[0]);
        kept.logScales.push_back(one.logScales[0]);
        kept.logitOpacities.push_back(one.logitOpacities[0]);
        kept.sh.insert(kept.sh.end(), one.sh.begin(), one.sh.end());
    }
    return kept;
}

TEST(Pictures, LimitsLeaveSplatsOutAsIfTheyWereNotThere) {
    const reference::Scene scene = reference::makeMixedScene(300, 100, 80, 3);
    WorldScene world(scene.gaussians);
    world.view.settings.opacityMin = 0.2;
    world.view.settings.opacityMax = 0.9;
    const auto opacity = [&](size_t i) { return reference::sigmoid(scene.gaussians.logitOpacities[i]); };
    EXPECT_EQ(world.draw(scene.camera),
              rendered(those(scene, [&](const auto&, size_t i) { return opacity(i) >= 0.2 && opacity(i) <= 0.9; }), scene.camera));
    world.view.settings = {.background = kBackground, .radiusMin = 8, .radiusMax = 20};
    EXPECT_EQ(world.draw(scene.camera),
              rendered(those(scene, [](const auto& p, size_t) { return largestExtent(p) >= 8 && largestExtent(p) <= 20; }), scene.camera));
}

TEST(Pictures, ASizeScaleIsThatOfAllStandardDeviations) {
    reference::Scene scene = reference::makeMixedScene(300, 100, 80, 3);
    WorldScene world(scene.gaussians);
    world.view.settings.sizeScale = 0.5;
    const Words found = world.draw(scene.camera);
    for (glm::vec3& scale : scene.gaussians.logScales) scale -= std::log(2.0f);
    const Words expected = rendered(scene.gaussians, scene.camera);
    size_t off = 0;
    for (size_t i = 0; i < found.size(); ++i) {
        const glm::ivec3 difference = glm::abs(channelsOf(found[i]) - channelsOf(expected[i]));
        off += std::max({difference.x, difference.y, difference.z}) > 1 ? 1u : 0u;
    }
    EXPECT_LE(off, found.size() / 1000);
}

TEST(Pictures, ALowerShDegreeIsThatOfAModelWithoutTheRest) {
    const reference::Scene scene = reference::makeMixedScene(200, 64, 48, 3);
    GaussianModel model(testDevice(), 200);
    model.upload(testDevice(), scene.gaussians);
    for (const uint32_t degree : {0u, 1u, 2u}) {
        WorldScene world(scene.gaussians), less(model.download(testDevice(), static_cast<int>(degree)));
        world.view.settings.shDegree = degree;
        EXPECT_EQ(world.draw(scene.camera), less.draw(scene.camera)) << degree;
    }
}

TEST(Pictures, EveryRowHasAReferenceAndAName) {
    EXPECT_EQ(renderModes().size(), pictureReferences().size());
    for (const RenderMode& row : renderModes()) {
        EXPECT_EQ(&renderModeByName(row.name), &row);
        EXPECT_FALSE(row.label.empty() || row.help.empty()) << row.name;
    }
    EXPECT_THROW(renderModeByName("colours"), InputError);
}

}  // namespace
}  // namespace splat
