// Orthographic pictures. Their reference in double precision is a perspective camera so far away that its rays are parallel to ten digits.
#include <splatwright/view/orthographic.h>

#include <gtest/gtest.h>

#include "world_scene.h"

namespace splat {
namespace {

constexpr double kDistance = 4;

/// As telephoto(), for double precision.
Camera referenceCamera(const Camera& camera) {
    constexpr double kAway = 1e8;
    Camera far = camera;
    far.fx *= kAway;
    far.fy *= kAway;
    far.translation.z += (kAway - 1) * kDistance;
    return far;
}

/// The reference sees everything; here, what is behind the camera is not drawn.
Camera steppedBack(Camera camera, double distance = 30) {
    camera.translation.z += distance;
    return camera;
}

struct Parallel : testing::Test {
    const reference::Scene scene = reference::makeMixedScene(150, 100, 75, 11);
    WorldScene world{scene.gaussians};
    Parallel() { world.view.orthographic = kDistance; }
};

size_t differing(const Words& a, const Words& b, int most) {
    size_t count = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const glm::ivec3 d = glm::abs(channelsOf(a[i]) - channelsOf(b[i]));
        if (std::max({d.x, d.y, d.z}) > most) ++count;
    }
    return count;
}

class ParallelRows : public Parallel, public testing::WithParamInterface<std::string_view> {};

TEST_P(ParallelRows, AgreeWithTheDoubleReference) {
    world.view.settings.autoRange = false;
    world.view.settings.rangeHigh = 60;
    const Camera drawn = steppedBack(scene.camera);
    const Words found = world.draw(drawn, std::string(GetParam()));
    const Camera camera = referenceCamera(scene.camera);
    Ingredients in = ingredientsOf(scene.gaussians, camera, world.view.settings);
    for (reference::Projected& splat : in.projected) splat.depth += drawn.translation.z - camera.translation.z;
    in.order = reference::depthOrder(in.projected);  // in steps of the depth that is drawn
    const Comparison c = compare(found, in, pictureReferences().at(GetParam()));
    EXPECT_EQ(c.off, 0u) << c.first;
    EXPECT_LT(c.open, found.size() / 4);
}

INSTANTIATE_TEST_SUITE_P(Some, ParallelRows, testing::Values("colour", "depth", "alpha", "splats", "opacity", "radius", "centres"));

TEST_F(Parallel, PicturesDifferFromPerspectiveAndKeepTheScaleOfTheirDistance) {
    const Words parallel = world.draw(steppedBack(scene.camera));
    world.view.orthographic = 0;
    EXPECT_GT(differing(world.draw(scene.camera), parallel, 20), parallel.size() / 20);
    EXPECT_LT(differing(world.draw(telephoto(scene.camera, kDistance)), parallel, 2), parallel.size() / 200);
}

/// Every mode, ellipsoids with their shading among them: only depths know where the eye is.
TEST_F(Parallel, PicturesDoNotChangeWhenTheEyeStepsBack) {
    for (const char* mode : {"colour", "ellipsoids", "normal"}) {
        const Words before = world.draw(steppedBack(scene.camera), mode);
        EXPECT_LT(differing(world.draw(steppedBack(scene.camera, 60), mode), before, 1), before.size() / 200) << mode;
    }
}

/// A model's scale and place act as on its splats.
TEST_F(Parallel, PicturesOfAPlacedModelAreThoseOfItsSplats) {
    Gaussians small = scene.gaussians;
    for (glm::vec3& mean : small.means) mean *= 0.5F;
    for (glm::vec3& scale : small.logScales) scale += std::log(0.5F);
    const Words wanted = world.draw(scene.camera);
    WorldScene placed;
    const World::Id id = placed.world.add("small", small);
    ModelTransform twice;
    twice.scale = 2;
    placed.world.setTransform(id, twice);
    placed.view.orthographic = kDistance;
    EXPECT_LT(differing(placed.draw(scene.camera), wanted, 1), wanted.size() / 200);
}

TEST_F(Parallel, APixelsPointIsOnItsRay) {
    Gaussians one;
    one.resize(1, 0);
    const Camera& c = scene.camera;
    const glm::dvec3 inCamera(0.4, -0.3, 6);
    one.means[0] = glm::transpose(c.rotation) * (inCamera - c.translation);
    one.rotations[0] = {1, 0, 0, 0};
    one.logScales[0] = glm::vec3(-4);
    one.logitOpacities[0] = 5;
    one.sh[0] = glm::vec3(1);
    WorldScene single(one);
    single.view.orthographic = kDistance;
    single.draw(c);
    const glm::uvec2 pixel(c.fx * inCamera.x / kDistance + c.cx, c.fy * inCamera.y / kDistance + c.cy);
    single.view.probe(pixel);
    std::optional<Probe> probe;
    while (!probe) probe = single.view.probed();
    ASSERT_TRUE(probe->point);
    EXPECT_NEAR(probe->medianDepth, inCamera.z, 1e-4);
    EXPECT_LT(glm::distance(*probe->point, glm::dvec3(one.means[0])), kDistance / c.fx) << "to a pixel";
}

}  // namespace
}  // namespace splat
