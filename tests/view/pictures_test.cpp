// Every picture of the table against what the double reference makes of the same splats.
#include "view/pictures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "core/error.h"
#include "reference/render.h"
#include "world_scene.h"

namespace splat {
namespace {

constexpr glm::dvec3 kTint(1, 0.55, 0);  // shaders/lib/marks.slang

glm::dvec3 tinted(const glm::dvec3& colour, double amount) { return glm::mix(colour, kTint, 0.6 * amount); }

double horner(std::initializer_list<double> highestFirst, double x) {
    double value = 0;
    for (const double coefficient : highestFirst) value = value * x + coefficient;
    return std::clamp(value, 0.0, 1.0);
}

glm::dvec3 turbo(double x) {
    return {horner({59.28637943, -152.94239396, 132.13108234, -42.66032258, 4.61539260, 0.13572138}, x),
            horner({2.82956604, 4.27729857, -14.18503333, 4.84296658, 2.19418839, 0.09140261}, x),
            horner({27.34824973, -89.90310912, 110.36276771, -60.58204836, 12.64194608, 0.10667330}, x)};
}

/// A pixel of a reference picture. Where single precision may decide otherwise, any colour is right.
struct Expected {
    glm::dvec3 colour{0};
    bool open = false;
};

/// What a picture is made of.
struct Ingredients {
    const Gaussians& gaussians;
    const Camera& camera;
    const PictureSettings& settings;
    std::vector<reference::Projected> projected;
    std::vector<size_t> order;
    std::vector<double> gradients;
    bool selected;  ///< all of them are, or none
    Words photograph;
    Words listed;  ///< a tile
};

using Picture = std::function<Expected(const Ingredients&, glm::ivec2)>;

glm::dvec2 centreOf(glm::ivec2 pixel) { return glm::dvec2(pixel) + 0.5; }

reference::PixelTrace trace(const Ingredients& in, glm::ivec2 pixel) {
    return reference::tracePixel(in.projected, in.order, centreOf(pixel), {});
}

Expected blended(const Ingredients& in, glm::ivec2 pixel, const std::function<glm::dvec3(size_t)>& colourOf) {
    const auto walk = trace(in, pixel);
    Expected e{walk.transmittance * glm::dvec3(in.settings.background), walk.nearCut};
    for (const auto& c : walk.contributions)
        e.colour += (in.selected ? tinted(colourOf(c.splat), 1) : colourOf(c.splat)) * c.alpha.value * c.transmittance;
    return e;
}

Expected colour(const Ingredients& in, glm::ivec2 pixel) {
    return blended(in, pixel, [&](size_t i) { return in.projected[i].colour; });
}

glm::dvec3 mapped(const Ingredients& in, double number) {
    return turbo(std::clamp((number - in.settings.rangeLow) / (in.settings.rangeHigh - in.settings.rangeLow), 0.0, 1.0));
}

Expected number(const Ingredients& in, glm::ivec2 pixel, double value) {
    const auto walk = trace(in, pixel);
    return {tinted(mapped(in, value), in.selected ? 1 - walk.transmittance : 0), walk.nearCut};
}

/// Mean of what the splats carry, over the background.
Picture mean(std::function<double(const Ingredients&, size_t)> carried) {
    return [carried](const Ingredients& in, glm::ivec2 pixel) -> Expected {
        const auto walk = trace(in, pixel);
        const double coverage = 1 - walk.transmittance;
        const glm::dvec3 background = in.settings.background;
        if (walk.contributions.empty()) return {background, walk.nearCut};
        double sum = 0;
        for (const auto& c : walk.contributions) sum += carried(in, c.splat) * c.alpha.value * c.transmittance;
        const glm::dvec3 shown = tinted(mapped(in, sum / coverage), in.selected ? coverage : 0);
        return {glm::mix(background, shown, coverage), walk.nearCut};
    };
}

double largestExtent(const reference::Projected& p) { return std::max(p.halfExtent.x, p.halfExtent.y); }

Expected tiles(const Ingredients& in, glm::ivec2 pixel) {
    Expected e = colour(in, pixel);
    if (pixel.x % 16 != 0 && pixel.y % 16 != 0) return e;
    const glm::dvec3 clamped = glm::clamp(e.colour, 0.0, 1.0);
    for (int k = 0; k < 3; ++k) e.open |= std::abs(clamped[k] - 0.5) < 1e-3;
    e.colour = glm::mix(e.colour, 1.0 - glm::round(clamped), 0.5);
    return e;
}

Expected error(const Ingredients& in, glm::ivec2 pixel) {
    Expected e = colour(in, pixel);
    const auto index = static_cast<size_t>(pixel.y * in.camera.width + pixel.x);
    const glm::dvec3 difference = glm::abs(glm::clamp(e.colour, 0.0, 1.0) - glm::dvec3(channelsOf(in.photograph[index])) / 255.0);
    e.colour = mapped(in, (difference.x + difference.y + difference.z) / 3);
    return e;
}

Expected centres(const Ingredients& in, glm::ivec2 pixel) {
    Expected e{in.settings.background};
    for (const size_t i : in.order) {
        const double distance = glm::distance(in.projected[i].mean, centreOf(pixel));
        e.open |= std::abs(distance - in.settings.centreSize) < 1e-3;
        if (distance > in.settings.centreSize) continue;
        e.colour = in.selected ? tinted(in.projected[i].colour, 1) : in.projected[i].colour;
        break;
    }
    return e;
}

/// Covariance of a splat in (x, y, depth): pixels, pixels, world units. The image's part is dilated.
glm::dmat3 coneCovariance(const Ingredients& in, size_t i) {
    const auto splats = reference::fromGaussians(part(in.gaussians, i, i + 1));
    const glm::dvec3 point = in.camera.rotation * splats.means[0] + in.camera.translation;
    const glm::dmat3 turn = reference::rotationMatrix(glm::normalize(splats.rotations[0]));
    const glm::dvec3 s = glm::exp(splats.logScales[0]);
    const glm::dmat3 spread = in.camera.rotation * glm::dmat3(turn[0] * s.x, turn[1] * s.y, turn[2] * s.z);
    const glm::dmat3x2 j = reference::projectionJacobian(point, reference::clampedRatio(point, in.camera), in.camera);
    const glm::dmat3 toCone(glm::dvec3(j[0], 0), glm::dvec3(j[1], 0), glm::dvec3(j[2], 1));
    const glm::dmat3 axes = toCone * spread;
    glm::dmat3 covariance = axes * glm::transpose(axes);
    covariance[0][0] += reference::kDilation;
    covariance[1][1] += reference::kDilation;
    return covariance;
}

struct Hit {
    double depth = 0;
    glm::dvec2 slope{0};
    bool atRim = false;
};

/// Where the pixel sees the surface v C^-1 v = reach^2, by solving for the depth.
std::optional<Hit> surface(const glm::dmat3& inverse, glm::dvec2 d, double depth, double reach) {
    const double a = inverse[2][2], b = inverse[0][2] * d.x + inverse[1][2] * d.y;
    const double c = inverse[0][0] * d.x * d.x + 2 * inverse[0][1] * d.x * d.y + inverse[1][1] * d.y * d.y - reach * reach;
    const double discriminant = b * b - a * c;
    if (discriminant < 0) return std::nullopt;
    const double z = (-b - std::sqrt(discriminant)) / a;
    const glm::dvec3 normal = inverse * glm::dvec3(d, z);
    return Hit{depth + z, -glm::dvec2(normal) / normal.z, discriminant < 0.02 * a * reach * reach};
}

Expected ellipsoids(const Ingredients& in, glm::ivec2 pixel) {
    std::optional<Hit> nearest;
    size_t winner = 0;
    Expected e{in.settings.background};
    for (const size_t i : in.order) {
        const glm::dvec2 d = centreOf(pixel) - in.projected[i].mean;
        if (glm::length(d) > 3 * largestExtent(in.projected[i]) + 3) continue;
        const auto hit = surface(glm::inverse(coneCovariance(in, i)), d, in.projected[i].depth, in.settings.ellipsoidSize);
        const double q =
            in.projected[i].conic.x * d.x * d.x + 2 * in.projected[i].conic.y * d.x * d.y + in.projected[i].conic.z * d.y * d.y;
        e.open |= std::abs(q - in.settings.ellipsoidSize * in.settings.ellipsoidSize) < 1e-2;
        if (!hit) continue;
        if (nearest) e.open |= std::abs(hit->depth - nearest->depth) < 1e-4;
        if (nearest && hit->depth >= nearest->depth) continue;
        nearest = hit;
        winner = i;
    }
    if (!nearest) return e;
    const size_t first = winner * shCoefficients(in.gaussians.shDegree);
    glm::dvec3 base = glm::max(0.5 + 0.28209479177387814 * glm::dvec3(in.gaussians.sh[first]), 0.0);
    if (in.selected) base = tinted(base, 1);
    const glm::dvec2 tilt = nearest->slope * glm::dvec2(in.camera.fx, in.camera.fy) / nearest->depth;
    e.open |= nearest->atRim;
    e.colour = base * (0.25 + 0.75 / std::sqrt(1 + glm::dot(tilt, tilt)));
    return e;
}

Expected models(const Ingredients& in, glm::ivec2 pixel) {
    return blended(in, pixel, [&](size_t i) {
        const double luminance = glm::dot(in.projected[i].colour, glm::dvec3(0.2126, 0.7152, 0.0722));
        return glm::dvec3(0.2f, 0.9f, 0.4f) * (0.25 + 0.75 * std::clamp(luminance, 0.0, 1.0));
    });
}

Expected listed(const Ingredients& in, glm::ivec2 pixel) {
    const int across = (in.camera.width + 15) / 16;
    return number(in, pixel, in.listed[static_cast<size_t>(pixel.y / 16 * across + pixel.x / 16)]);
}

const std::map<std::string_view, Picture> kReferences{
    {"colour", colour},
    {"models", models},
    {"depth", mean([](const Ingredients& in, size_t i) { return in.projected[i].depth; })},
    {"alpha", [](const Ingredients& in, glm::ivec2 p) { return number(in, p, 1 - trace(in, p).transmittance); }},
    {"splats", [](const Ingredients& in, glm::ivec2 p) { return number(in, p, static_cast<double>(trace(in, p).contributions.size())); }},
    {"tile-splats", listed},
    {"tiles", tiles},
    {"opacity", mean([](const Ingredients& in, size_t i) { return reference::sigmoid(in.gaussians.logitOpacities[i]); })},
    {"ellipsoids", ellipsoids},
    {"centres", centres},
    {"gradient", mean([](const Ingredients& in, size_t i) { return in.gradients[i]; })},
    {"radius", mean([](const Ingredients& in, size_t i) { return largestExtent(in.projected[i]); })},
    {"error", error}};

/// Numbers at the ends of the colour map, so that most of a picture lies between.
const std::map<std::string_view, glm::dvec2> kRanges{{"depth", {2, 6}},        {"alpha", {0, 1}},   {"splats", {0, 30}},
                                                     {"tile-splats", {0, 80}}, {"opacity", {0, 1}}, {"gradient", {0, 1}},
                                                     {"radius", {0, 60}},      {"error", {0, 0.8}}};

/// A world of one live model, so that there are gradients too, and everything that its pictures come from.
struct Stage {
    explicit Stage(bool selected)
        : scene(reference::makeMixedScene(150, 100, 75, 11)),
          source(testDevice(), count()),
          growth(testDevice().buffer<shared::GrowthStatistics>("growth", count())),
          photograph(testDevice().buffer<uint32_t>("photograph", pixels())) {
        source.upload(testDevice(), scene.gaussians);
        std::vector<shared::GrowthStatistics> statistics(count());
        for (uint32_t i = 0; i < count(); ++i) {
            statistics[i] = {.gradient = 0.05f * static_cast<float>(i % 37), .views = static_cast<float>(i % 4)};
            gradients.push_back(statistics[i].gradient / std::max(1.0, static_cast<double>(i % 4)));
        }
        testDevice().upload(growth, statistics);
        for (size_t i = 0; i < pixels(); ++i) words.push_back(static_cast<uint32_t>(i * 2654435761u));
        testDevice().upload(photograph, words);
        const World::Id id = world.world.addLive("in training", count());
        world.world.setTint(id, {0.2f, 0.9f, 0.4f});
        world.world.refresh(id, source, 3, growth);
        if (selected)
            for (uint32_t i = 0; i < count(); ++i) world.mark(i, shared::kMarkSelected);
        world.view.photograph = {photograph, {scene.camera.width, scene.camera.height}};
        world.view.settings.autoRange = false;
    }
    uint32_t count() const { return static_cast<uint32_t>(scene.gaussians.count()); }
    size_t pixels() const { return static_cast<size_t>(scene.camera.width * scene.camera.height); }

    Ingredients ingredients(bool selected) {
        Ingredients in{.gaussians = scene.gaussians,
                       .camera = scene.camera,
                       .settings = world.view.settings,
                       .projected = reference::projectAll(reference::fromGaussians(scene.gaussians), scene.camera, {}),
                       .gradients = gradients,
                       .selected = selected,
                       .photograph = words};
        in.order = reference::depthOrder(in.projected);
        const auto ranges = testDevice().download<glm::uvec2>(world.view.frame().tileRanges, 7 * 5);
        for (const glm::uvec2 range : ranges) in.listed.push_back(range.y - range.x);
        return in;
    }

    reference::Scene scene;
    GaussianModel source;
    gpu::Buffer growth, photograph;
    std::vector<double> gradients;
    Words words;
    WorldScene world;
};

/// Pixels that are off by more than rounding though nothing explains it, and those that may be anything.
struct Comparison {
    size_t off = 0;
    size_t open = 0;
    std::string first;
};

Comparison compare(const Words& found, const Ingredients& in, const Picture& picture) {
    Comparison c;
    for (int y = 0; y < in.camera.height; ++y) {
        for (int x = 0; x < in.camera.width; ++x) {
            const Expected e = picture(in, {x, y});
            c.open += e.open ? 1 : 0;
            if (e.open) continue;
            const uint32_t word = found[static_cast<size_t>(y * in.camera.width + x)], expected = pixelWord(e.colour);
            const glm::ivec3 difference = glm::abs(channelsOf(word) - channelsOf(expected));
            if (word >> 24u == 255 && std::max({difference.x, difference.y, difference.z}) <= 1) continue;
            if (c.off++ == 0) c.first = fmt::format("at {},{}: {:08x}, expected {:08x}", x, y, word, expected);
        }
    }
    return c;
}

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
        const Comparison c = compare(found, stage.ingredients(selected), kReferences.at(GetParam()));
        EXPECT_EQ(c.off, 0u) << c.first << (selected ? ", all selected" : "");
        EXPECT_LT(c.open, stage.pixels() / 4);
    }
}

INSTANTIATE_TEST_SUITE_P(All, PictureRows, testing::ValuesIn(pictureNames()), [](const auto& p) {
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
        uint32_t least = UINT32_MAX, largest = 0;
        for (const glm::uvec2 range : ranges) {
            least = std::min(least, range.y - range.x);
            largest = std::max(largest, range.y - range.x);
        }
        const auto found = world.view.reports().back().range;
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(*found, std::pair(static_cast<float>(least), static_cast<float>(largest))) << size.x << "x" << size.y;
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
    const std::map<std::string, double> tolerances{{"viridis", 5}, {"turbo", 33}};
    struct Sample {
        std::string map;
        double number;
        glm::dvec3 colour;  ///< of the published table
    };
    for (const Sample& sample : {Sample{"viridis", 0, {68, 1, 84}},
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

TEST(Pictures, RightOfTheSplitThePhotographShows) {
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
    EXPECT_EQ(pictureTable().size(), kReferences.size());
    for (const PictureRow& row : pictureTable()) {
        EXPECT_EQ(&pictureByName(row.name), &row);
        EXPECT_FALSE(row.label.empty() || row.help.empty()) << row.name;
    }
    EXPECT_THROW(pictureByName("colours"), InputError);
}

}  // namespace
}  // namespace splat
