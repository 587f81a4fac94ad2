// What lies under a pixel, against the reference's trace of that pixel.
#include <splatwright/view/probe.h>

#include <gtest/gtest.h>

#include "reference/render.h"
#include "world_scene.h"

namespace splat {
namespace {

Probe ask(WorldScene& world, glm::uvec2 pixel) {
    world.view.probe(pixel);
    std::optional<Probe> probe;
    while (!probe) probe = world.view.probed();
    EXPECT_EQ(probe->pixel, pixel);
    return *probe;
}

double depthAtHalf(const reference::PixelTrace& trace, std::span<const reference::Projected> projected) {
    double depth = 0;
    for (const auto& c : trace.contributions)
        if (c.transmittance >= 0.5) depth = projected[c.splat].depth;
    return depth;
}

/// Compares with the trace of the same pixel; false where a threshold is near, so that either may be right.
bool agrees(const Probe& probe, const reference::PixelTrace& trace, std::span<const reference::Projected> projected) {
    if (trace.nearCut) return false;
    EXPECT_EQ(probe.listed, trace.contributions.size());
    EXPECT_EQ(probe.hits.size(), std::min<size_t>(trace.contributions.size(), shared::kProbeEntries));
    EXPECT_NEAR(probe.transmittance, trace.transmittance, 1e-4);
    double sum = 0, largest = 0;
    for (size_t i = 0; i < trace.contributions.size(); ++i) {
        const reference::Contribution& c = trace.contributions[i];
        const double share = c.alpha.value * c.transmittance;
        sum += share * projected[c.splat].depth;
        largest = std::max(largest, share);
        if (i >= probe.hits.size()) continue;
        EXPECT_EQ(probe.hits[i].gaussian, c.splat);
        EXPECT_NEAR(probe.hits[i].depth, projected[c.splat].depth, 1e-4);
        EXPECT_NEAR(probe.hits[i].alpha, c.alpha.value, 1e-4);
        EXPECT_NEAR(probe.hits[i].contribution, share, 1e-4);
    }
    EXPECT_EQ(probe.picked.has_value(), !trace.contributions.empty());
    if (!probe.picked) return true;
    EXPECT_NEAR(probe.expectedDepth, sum / (1 - trace.transmittance), 1e-3);
    EXPECT_NEAR(probe.medianDepth, depthAtHalf(trace, projected), 1e-4);
    if (probe.listed <= shared::kProbeEntries) {
        EXPECT_NEAR(probe.picked->contribution, largest, 1e-4);
    }
    return true;
}

TEST(Probe, ListsWhatThePixelBlends) {
    for (const std::string name : {"mixed", "crowdedTile", "opaque", "equalDepths"}) {
        const reference::Scene scene = reference::makeScene(name, 7);
        WorldScene world(scene.gaussians);
        world.view.draw(scene.camera);
        const auto projected = reference::projectAll(reference::fromGaussians(scene.gaussians), scene.camera, {});
        const auto order = reference::depthOrder(projected);
        size_t compared = 0;
        for (uint32_t y = 0; y < static_cast<uint32_t>(scene.camera.height); y += 7)
            for (uint32_t x = 0; x < static_cast<uint32_t>(scene.camera.width); x += 11)
                compared += agrees(ask(world, {x, y}), reference::tracePixel(projected, order, {x + 0.5, y + 0.5}, {}), projected);
        EXPECT_GT(compared, 10u) << name;
    }
}

TEST(Probe, NamesTheModelAndTheGaussianInIt) {
    const reference::Scene scene = reference::makeScene("opaque", 7);
    const size_t half = scene.gaussians.count() / 2;
    WorldScene world(part(scene.gaussians, 0, half));
    const World::Id second = world.world.add("second", part(scene.gaussians, half, 2 * half));
    world.view.draw(scene.camera);
    size_t ofSecond = 0;
    for (const glm::uvec2 pixel : {glm::uvec2(20, 20), {50, 40}, {60, 45}, {30, 50}}) {
        for (const ProbeHit& hit : ask(world, pixel).hits) {
            EXPECT_EQ(hit.gaussian, world.world[hit.model].first + hit.index);
            EXPECT_LT(hit.index, half);
            ofSecond += hit.model == second ? 1 : 0;
        }
    }
    EXPECT_GT(ofSecond, 0u);
}

TEST(Probe, ThePointIsWhereTheMedianSplatIs) {
    Gaussians one;
    one.resize(1, 0);
    const reference::Scene scene = reference::makeMixedScene(1, 65, 49);
    const Camera camera = scene.camera;
    one.means[0] = glm::transpose(camera.rotation) * (glm::dvec3(0.3, -0.2, 4) - camera.translation);
    one.rotations[0] = {1, 0, 0, 0};
    one.logScales[0] = glm::vec3(-1);
    one.logitOpacities[0] = 3;
    WorldScene world(one);
    world.view.draw(camera);
    const glm::dvec2 place = glm::dvec2(0.3, -0.2) / 4.0 * glm::dvec2(camera.fx, camera.fy) + glm::dvec2(camera.cx, camera.cy);
    const Probe probe = ask(world, glm::uvec2(place));
    ASSERT_TRUE(probe.point.has_value());
    EXPECT_LT(glm::distance(*probe.point, glm::dvec3(one.means[0])), 4.0 / camera.fx);  // within the pixel
    EXPECT_NEAR((camera.rotation * *probe.point + camera.translation).z, 4, 1e-4);
}

TEST(Probe, OfSurfacesItPicksTheNearest) {
    Gaussians two;
    two.resize(2, 0);
    for (size_t i = 0; i < 2; ++i) {
        two.means[i] = glm::vec3(0, 0, i == 0 ? 4 : 4.5);
        two.rotations[i] = {1, 0, 0, 0};
        two.logScales[i] = glm::vec3(std::log(i == 0 ? 0.2f : 0.5f));  // the farther one bulges in front
        two.logitOpacities[i] = 0;
    }
    const Camera camera{.width = 64, .height = 64, .fx = 64, .fy = 64, .cx = 32.5, .cy = 32.5};
    WorldScene world(two);
    world.view.settings.ellipsoidSize = 2;
    world.draw(camera, "ellipsoids");
    const Probe surface = ask(world, {32, 32});
    EXPECT_EQ(surface.listed, 2u);
    ASSERT_TRUE(surface.picked.has_value());
    EXPECT_EQ(surface.picked->index, 1u);
    EXPECT_NEAR(surface.medianDepth, 4.5 - 2 * 0.5, 1e-3);
    world.draw(camera, "centres");
    EXPECT_EQ(ask(world, {32, 32}).picked->index, 0u);
    EXPECT_FALSE(ask(world, {36, 32}).picked.has_value());
}

TEST(Probe, WhereNothingIsNothingIsPicked) {
    WorldScene world;
    world.draw({.width = 20, .height = 20, .fx = 20, .fy = 20, .cx = 10, .cy = 10});
    const Probe probe = ask(world, {19, 19});
    EXPECT_EQ(probe.listed, 0u);
    EXPECT_TRUE(probe.hits.empty());
    EXPECT_FALSE(probe.picked || probe.point);
    EXPECT_EQ(probe.transmittance, 1);
}

TEST(Probe, ANewerQuestionTakesThePlaceOfOneThatWaits) {
    const reference::Scene scene = reference::makeScene("opaque", 7);
    WorldScene world(scene.gaussians);
    world.view.draw(scene.camera);
    for (uint32_t x = 10; x < 40; ++x) world.view.probe({x, 30});
    std::vector<glm::uvec2> answered;
    while (answered.empty() || answered.back().x != 39)
        if (const auto probe = world.view.probed()) answered.push_back(probe->pixel);
    EXPECT_LT(answered.size(), 30u);
    EXPECT_FALSE(world.view.probed().has_value());
}

TEST(Probe, OfAWorldThatHasChangedThereIsNoAnswer) {
    const reference::Scene scene = reference::makeScene("opaque", 7);
    WorldScene world(scene.gaussians);
    world.view.draw(scene.camera);
    world.view.probe({30, 30});
    world.world.remove(0);
    world.draw(scene.camera);
    EXPECT_FALSE(world.view.probed().has_value());
    EXPECT_EQ(ask(world, {30, 30}).listed, 0u);
}

}  // namespace
}  // namespace splat
