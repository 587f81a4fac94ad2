// A region of interest: what is outside a box, against a double-precision reference, and trainings that keep to it.
#include <splatwright/train/parts/region.h>

#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/densify/default_settings.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/parts/check_settings.h>
#include <splatwright/train/parts/region_settings.h>
#include "support/gpu_scene.h"
#include "support/test_device.h"
#include "train/small_runs.h"
#include "train/trained_numbers.h"

namespace splat {
namespace {

bool goOn(const StepReport&) { return true; }

constexpr float kGone = -20;  // logit

TrainSettings withRegion(TrainSettings settings, const RegionBox& box, std::string outside = "remove") {
    settings.of<RegionSettings>().region = regionText(box);
    settings.of<RegionSettings>().regionOutside = std::move(outside);
    return settings;
}

const RegionBox kTurned{
    .centre = {0.1, -0.2, 0.3}, .halfSize = {0.8, 0.3, 1.5}, .rotation = glm::dquat(glm::radians(glm::dvec3(20, -35, 60)))};

/// The largest coordinate of a position in half edges of the box, by its definition.
double farthest(const RegionBox& box, const glm::dvec3& position) {
    const glm::dvec3 local = glm::abs(glm::inverse(box.rotation) * (position - box.centre)) / box.halfSize;
    return std::max({local.x, local.y, local.z});
}

TEST(Region, IsWhatItsTextSays) {
    const RegionBox box = parseRegion("1,2,3,4,5,6");
    EXPECT_EQ(box.centre, glm::dvec3(1, 2, 3));
    EXPECT_EQ(box.halfSize, glm::dvec3(2, 2.5, 3));
    EXPECT_TRUE(box.contains({2.99, 4.4, 0.01}));
    EXPECT_FALSE(box.contains({3.01, 2, 3}));
    const RegionBox quarter = parseRegion("0,0,0,2,8,2,0,0,90");
    EXPECT_TRUE(quarter.contains({3.9, 0, 0}));
    EXPECT_FALSE(quarter.contains({0, 3.9, 0}));
    for (const char* text :
         {"", "1,2,3", "1,2,3,4,5", "1,2,3,4,5,0", "1,2,3,4,5,-6", "1,2,3,4,5,6,7", "a,2,3,4,5,6", "1,2,3,4,5,6,", "1,2,3,4,5,nan"})
        EXPECT_THROW(parseRegion(text), InputError) << text;
}

TEST(Region, ComesBackFromItsText) {
    const RegionBox back = parseRegion(regionText(kTurned));
    for (const glm::dvec3 p : {glm::dvec3(0.2, -0.1, 1.2), glm::dvec3(-0.5, 0.4, 0), glm::dvec3(0.7, -0.9, 0.1)})
        EXPECT_NEAR(farthest(back, p), farthest(kTurned, p), 1e-9);
}

TEST(Region, IsTheSameBoxInTheTrainingFrame) {
    const TrainingFrame frame{.centre = {4, -1, 2}, .scale = 0.3};
    const auto box = regionOf(withRegionInFrame(withRegion({}, kTurned), frame));
    ASSERT_TRUE(box);
    for (const glm::dvec3 p : {glm::dvec3(0.2, -0.1, 1.2), glm::dvec3(-0.5, 0.4, 0), glm::dvec3(0.7, -0.9, 0.1)})
        EXPECT_NEAR(farthest(*box, (p - frame.centre) * frame.scale), farthest(kTurned, p), 1e-9);
    EXPECT_FALSE(regionOf(withRegionInFrame({}, frame)));
}

/// One step of a training that changes nothing but what the region does, for any number of Gaussians around the groups of the kernel.
TEST(Region, GoneIsWhatIsOutsideInDoublePrecision) {
    const reference::Scene scene = reference::makeMixedScene(60, 32, 32, 6);
    const auto photographs = photographsOf(scene, 1);
    for (const size_t count : {1u, 2u, 255u, 256u, 257u, 1000u}) {
        Gaussians start;
        start.resize(count, 0);
        Rng rng(count);
        for (size_t i = 0; i < count; ++i) {
            start.means[i] = glm::vec3(rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-2, 2));
            start.logScales[i] = glm::vec3(-5);
            start.rotations[i] = {1, 0, 0, 0};
            start.logitOpacities[i] = 1;
        }
        Trainer trainer(testDevice(), testSort(), withRegion(shortRun(1), kTurned), start, photographs, 1.1);
        const Gaussians found = trainer.model().download(testDevice(), 0);
        size_t outside = 0;
        for (size_t i = 0; i < count; ++i) {
            const double at = farthest(kTurned, start.means[i]);
            if (std::abs(at - 1) < 1e-5) continue;
            ASSERT_EQ(found.logitOpacities[i], at > 1 ? kGone : 1.0F) << count << " " << i << " " << at;
            outside += at > 1 ? 1 : 0;
        }
        EXPECT_TRUE(count < 255 || (outside > count / 2 && outside < count)) << outside;
    }
}

struct RegionRun : testing::TestWithParam<const char*> {
    reference::Scene scene = reference::makeMixedScene(200, 40, 24, 5);
    std::vector<Photograph> photographs = photographsOf(scene, 3);
    RegionBox half{.centre = middle() + glm::dvec3(50, 0, 0), .halfSize = {50, 100, 100}};  // right of the middle

    glm::dvec3 middle() const {
        std::vector<float> xs;
        for (const glm::vec3& mean : scene.gaussians.means) xs.push_back(mean.x);
        std::ranges::sort(xs);
        return {xs[xs.size() / 2], 0, 0};
    }
    static TrainSettings settings() {
        TrainSettings s = refiningRun(GetParam(), 60);
        s.densifyUntil = 60;
        if (GetParam() == std::string("default")) s.of<DefaultStrategySettings>().growGrad2d = 1e-6;
        return s;
    }
    Trainer trainer(const TrainSettings& s) const { return {testDevice(), testSort(), s, blurred(scene.gaussians), photographs, 1.1}; }
    Gaussians trained(Trainer& t) const { return t.model().download(testDevice(), 3); }
    size_t outsideOf(const Gaussians& g, bool seen) const {
        size_t count = 0;
        for (size_t i = 0; i < g.count(); ++i)
            if (!half.contains(g.means[i]) && (!seen || g.logitOpacities[i] > kGone / 2)) ++count;
        return count;
    }
};

/// What moves or divides out of the box since the last refinement may still be seen.
TEST_P(RegionRun, RemovesWhatIsOutsideAndGrowsInside) {
    const TrainSettings s = withRegion(settings(), half);
    Trainer t = trainer(s), free = trainer(settings());
    t.run(60, goOn);
    free.run(60, goOn);
    const Gaussians found = trained(t);
    const size_t inside = found.count() - outsideOf(found, false);
    EXPECT_GT(inside, scene.gaussians.count() / 2);
    EXPECT_LT(outsideOf(found, true), 10u);
    EXPECT_GT(outsideOf(trained(free), true), 50u);
    EXPECT_EQ(withinRegion(found, t.settings()).count(), inside) << "what is saved";
}

TEST_P(RegionRun, ResumesToTheBit) {
    const TrainSettings s = withRegion(settings(), half);
    Trainer whole = trainer(s), resumed = trainer(s);
    whole.run(20, goOn);
    resumed.restore(whole.checkpoint());
    whole.run(45, goOn);
    resumed.run(45, goOn);
    expectSameBytes(resumed.checkpoint().sections, whole.checkpoint().sections);
}

INSTANTIATE_TEST_SUITE_P(Strategies, RegionRun, testing::Values("default", "mcmc", "budget"));

using KeptRegion = RegionRun;
TEST_P(KeptRegion, KeepsWhatIsOutsideAndDividesNothingThere) {
    Trainer t = trainer(withRegion(settings(), half, "keep")), free = trainer(settings());
    const size_t before = outsideOf(blurred(scene.gaussians), false);
    t.run(60, goOn);
    free.run(60, goOn);
    const size_t found = outsideOf(trained(t), true);
    EXPECT_GT(found, before / 2);
    const size_t freely = outsideOf(trained(free), true);
    EXPECT_LT(2.0 * (static_cast<double>(found) - static_cast<double>(before)), static_cast<double>(freely) - static_cast<double>(before))
        << found << " of " << freely << ": children at the border lie outside, too";
    EXPECT_EQ(withinRegion(trained(t), t.settings()).count(), trained(t).count()) << "all is saved";
}
INSTANTIATE_TEST_SUITE_P(Strategies, KeptRegion, testing::Values("default", "budget"));

TEST(Region, CannotKeepWhatMcmcDraws) {
    TrainSettings s = withRegion(defaultsOf("mcmc"), kTurned, "keep");
    EXPECT_THROW(checkTogether(s), InputError);
    s.of<RegionSettings>().regionOutside = "remove";
    EXPECT_NO_THROW(checkTogether(s));
    s.of<RegionSettings>().region = "1,2";
    EXPECT_THROW(checkTogether(s), InputError);
}

}  // namespace
}  // namespace splat
