// What a world holds: models come, go, grow and are refreshed, and the others stay as they are.
#include <splatwright/view/world.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include <splatwright/shared/training.h>
#include "world_scene.h"

namespace splat {
namespace {

Gaussians mixed(size_t count, uint64_t seed, int shDegree = 3) {
    return reference::makeMixedScene(count, 64, 48, seed, shDegree).gaussians;
}

Words marksOf(const World& world, World::Id id) {
    const WorldModel& m = world[id];
    return testDevice().download<uint32_t>(world.marks().slice(m.first * sizeof(uint32_t), m.capacity * sizeof(uint32_t)), m.capacity);
}

TEST(World, GivesModelsBackWhateverCameAndWentAround) {
    World world(testDevice());
    Gaussians antialiased = mixed(257, 4, 0);
    antialiased.antialiased = true;
    const World::Id a = world.add("a", mixed(255, 1)), b = world.add("b", mixed(1, 2, 1)), c = world.add("c", mixed(256, 3, 2));
    expectSame(world.gaussiansOf(a), mixed(255, 1));
    world.remove(a);
    const World::Id d = world.add("d", antialiased);
    EXPECT_EQ(d, a);  // the free one
    EXPECT_EQ(world.ids(), (std::vector<World::Id>{d, b, c}));
    expectSame(world.gaussiansOf(b), mixed(1, 2, 1));
    expectSame(world.gaussiansOf(c), mixed(256, 3, 2));
    expectSame(world.gaussiansOf(d), antialiased);
}

TEST(World, MarksSayWhoseAGaussianIsAndTravelWithIt) {
    WorldScene scene(mixed(100, 1));
    World& world = scene.world;
    const World::Id b = world.add("b", mixed(70, 2)), c = world.add("c", mixed(30, 3));
    for (const World::Id id : world.ids())
        for (const uint32_t mark : marksOf(world, id)) ASSERT_EQ(mark, id << shared::kMarkFlagBits);
    scene.mark(world[c].first + 7, shared::kMarkSelected | shared::kMarkDeleted);
    world.remove(b);
    Words expected(world[c].capacity, c << shared::kMarkFlagBits);
    expected[7] |= shared::kMarkSelected | shared::kMarkDeleted;
    EXPECT_EQ(marksOf(world, c), expected);
    EXPECT_EQ(world.ownerOf(world[c].first + 7), (std::pair<World::Id, uint32_t>{c, 7}));
    EXPECT_EQ(world.ownerOf(world[c].first + world[c].capacity), std::nullopt);
}

TEST(World, DeletedGaussiansAreNotGivenBack) {
    const Gaussians all = mixed(100, 1);
    WorldScene scene(all);
    for (uint32_t i = 0; i < 100; ++i)
        if (i < 20 || i >= 60) scene.mark(i, i % 2 == 0 ? shared::kMarkDeleted : shared::kMarkDeleted | shared::kMarkSelected);
    for (uint32_t i = 20; i < 60; ++i) scene.mark(i, shared::kMarkHidden);
    expectSame(scene.world.gaussiansOf(0), part(all, 20, 60));
}

TEST(World, OnlyNewBuffersChangeTheGeneration) {
    World world(testDevice());
    const World::Id id = world.add("a", mixed(10, 1)), live = world.addLive("live", 10);
    const uint64_t before = world.generation();
    world.rename(id, "b");
    world.setVisible(id, false);
    world.setTransform(id, {.scale = 2});
    world.reserve(live, world[live].capacity);
    EXPECT_EQ(world.generation(), before);
    world.reserve(live, world[live].capacity + 1);
    EXPECT_NE(world.generation(), before);
    expectSame(world.gaussiansOf(id), mixed(10, 1));
}

TEST(World, ALiveModelFollowsItsSource) {
    const reference::Scene scene = reference::makeMixedScene(300, 96, 64, 3);
    const Gaussians still = part(scene.gaussians, 0, 100), moving = part(scene.gaussians, 100, 300);
    WorldScene world(still);
    const World::Id live = world.world.addLive("live", 64);
    EXPECT_EQ(world.draw(scene.camera), rendered(still, scene.camera));
    for (const size_t count : std::initializer_list<size_t>{50, 64, 10, 65, 200, 0, 130}) {  // grows past its room in between
        GaussianModel source(testDevice(), static_cast<uint32_t>(count));
        source.upload(testDevice(), part(moving, 0, count));
        world.world.refresh(live, source, 3);
        EXPECT_EQ(world.draw(scene.camera), rendered(part(scene.gaussians, 0, 100 + count), scene.camera)) << count;
        EXPECT_EQ(world.world[live].count, count);
        expectSame(world.world.gaussiansOf(live), part(moving, 0, count));
    }
}

TEST(World, ALiveModelMayChangeBetweenPicturesInFlight) {
    const reference::Scene scene = reference::makeMixedScene(200, 96, 64, 3);
    GaussianModel source(testDevice(), 200);
    WorldScene world;
    const World::Id live = world.world.addLive("live", 200);
    for (uint32_t round = 0; round < 12; ++round) {
        source.upload(testDevice(), part(scene.gaussians, 0, 10 * round + 5));
        world.world.refresh(live, source, 3);
        world.view.draw(scene.camera);
    }
    world.view.finish();
    EXPECT_EQ(world.picture(), rendered(part(scene.gaussians, 0, 115), scene.camera));
}

TEST(World, ALiveModelShowsTheDegreeThatItIsTrainedTo) {
    const reference::Scene scene = reference::makeMixedScene(100, 64, 48, 3);
    GaussianModel source(testDevice(), 100);
    source.upload(testDevice(), scene.gaussians);
    WorldScene world;
    const World::Id live = world.world.addLive("live", 100);
    for (const int degree : {1, 3, 0}) {
        world.world.refresh(live, source, degree);
        EXPECT_EQ(world.draw(scene.camera), rendered(source.download(testDevice(), degree), scene.camera)) << degree;
    }
}

TEST(World, ALiveModelHasTheFiltersOfItsSourceBakedIn) {
    for (const uint32_t count : {1u, 255u, 256u, 257u}) {
        const reference::Scene scene = reference::makeMixedScene(count, 64, 48, 3);
        GaussianModel source(testDevice(), count);
        source.upload(testDevice(), scene.gaussians);
        source.filter3d(testDevice(), true);
        std::vector<float> variances;
        for (const glm::vec3& logScale : scene.gaussians.logScales)
            variances.push_back(variances.size() % 3 == 1 ? 0 : std::exp(2 * logScale.y));
        testDevice().upload(source.filterVariances, variances);
        World world(testDevice());
        const World::Id before = world.add("before", mixed(70, 4)), live = world.addLive("live", count);
        world.add("behind", mixed(10, 5));
        world.refresh(live, source, 3);
        expectSame(world.gaussiansOf(before), mixed(70, 4));
        const Gaussians found = world.gaussiansOf(live), expected = source.download(testDevice(), 3);
        ASSERT_EQ(found.count(), count);
        for (size_t i = 0; i < count; ++i) {
            ASSERT_LT(glm::distance(found.logScales[i], expected.logScales[i]), 4e-6f) << i;
            ASSERT_NEAR(found.logitOpacities[i], expected.logitOpacities[i], 2e-5f * (1 + std::abs(expected.logitOpacities[i]))) << i;
        }
        EXPECT_EQ(found.means, expected.means);
        EXPECT_NE(expected.logScales, scene.gaussians.logScales);
    }
}

TEST(World, GradientsAreMeansOverTheViewsThatSawTheGaussian) {
    for (const uint32_t count : {1u, 255u, 256u, 257u}) {
        GaussianModel source(testDevice(), count);
        source.upload(testDevice(), mixed(count, 1));
        std::vector<shared::DensifyStatistics> statistics(count);
        for (uint32_t i = 0; i < count; ++i) statistics[i] = {.gradient = static_cast<float>(i), .views = static_cast<float>(i % 5)};
        const gpu::Buffer densifyStatistics = testDevice().buffer<shared::DensifyStatistics>("densification statistics", count);
        testDevice().upload(densifyStatistics, statistics);
        World world(testDevice());
        world.add("other", mixed(70, 2));
        const World::Id live = world.addLive("live", count);
        world.refresh(live, source, 3, densifyStatistics);
        EXPECT_TRUE(world[live].hasGradients);
        const gpu::BufferSlice slice = world.gradients().slice(world[live].first * sizeof(float), count * sizeof(float));
        const auto found = testDevice().download<float>(slice, count);
        for (uint32_t i = 0; i < count; ++i)
            ASSERT_FLOAT_EQ(found[i], statistics[i].gradient / std::max(1.0f, statistics[i].views)) << i;  // GPUs divide to 2.5 ulp
    }
}

TEST(World, StatisticsThatAreNotKeptAreNoGradients) {
    GaussianModel source(testDevice(), 100);
    source.upload(testDevice(), mixed(100, 1));
    World world(testDevice());
    const World::Id live = world.addLive("live", 100);
    world.refresh(live, source, 3, testDevice().buffer<shared::DensifyStatistics>("unused densification statistics", 1));
    EXPECT_FALSE(world[live].hasGradients);
}

TEST(World, AModelThatDoesNotFitLeavesTheOthersAsTheyWere) {
    gpu::DeviceOptions options = testDeviceOptions();
    options.memoryLimit = 64u << 20u;
    gpu::Device device(options);
    World world(device);
    const World::Id id = world.add("a", mixed(300, 1));
    EXPECT_THROW(world.addLive("too large", 300'000), gpu::OutOfMemory);
    EXPECT_EQ(world.ids(), std::vector{id});
    expectSame(world.gaussiansOf(id), mixed(300, 1));
    world.add("b", mixed(300, 2));
    expectSame(world.gaussiansOf(id), mixed(300, 1));
    EXPECT_EQ(device.validationMessages(), 0u);
}

TEST(World, ItsExtentIsAroundTheVisibleModelsAsTheyStand) {
    World world(testDevice());
    const World::Id a = world.addLive("a", 1), b = world.addLive("b", 1);
    world.setExtent(a, {{1, 0, 0}, 2});
    world.setTransform(a, {.translation = {10, 0, 0}, .rotation = glm::dquat(std::sqrt(0.5), 0, 0, std::sqrt(0.5)), .scale = 3});
    world.setExtent(b, {{10, -11, 0}, 1});
    const Extent both = world.extent();  // a is around (10, 3, 0), radius 6: together from y = -12 to 9
    EXPECT_NEAR(glm::distance(both.centre, glm::dvec3(10, -1.5, 0)), 0, 1e-12);
    EXPECT_NEAR(both.radius, 10.5, 1e-12);
    world.setVisible(b, false);
    EXPECT_NEAR(world.extent().radius, 6, 1e-12);
}

}  // namespace
}  // namespace splat
