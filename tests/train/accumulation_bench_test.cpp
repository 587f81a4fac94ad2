// The benchmark of accumulation methods: what is verified, timed and counted.
#include <splatwright/train/bench/accumulation_bench.h>

#include <algorithm>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/scenes.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

/// A training image of noise.
Photograph photographOf(const Camera& camera) {
    Photograph photograph{.name = "noise", .camera = camera, .image = Image8(camera.width, camera.height, 3)};
    Rng rng(3);
    for (uint8_t& value : photograph.image.pixels) value = static_cast<uint8_t>(rng.below(256));
    return photograph;
}

AccumulationBench benchOf(const reference::Scene& scene, bool absolute = false) {
    GaussianModel model(testDevice(), static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(testDevice(), scene.gaussians);
    return benchAccumulation(testDevice(), testSort(), {model, scene.gaussians.shDegree, glm::vec3(0.2f)}, photographOf(scene.camera),
                             {.runs = 1}, absolute);
}

TEST(AccumulationBench, AbsoluteGradientsAreSummedAndVerified) {
    const reference::Scene scene = reference::makeMixedScene(60, 37, 21, 4);
    const AccumulationBench without = benchOf(scene), with = benchOf(scene, true);
    ASSERT_EQ(with.runs.size(), without.runs.size());
    for (size_t i = 0; i < with.runs.size(); ++i) {
        EXPECT_TRUE(with.runs[i].times.verified) << with.runs[i].method << ": " << with.runs[i].error;
        EXPECT_EQ(with.runs[i].additions.has_value(), without.runs[i].additions.has_value());
        EXPECT_TRUE(!with.runs[i].additions || *with.runs[i].additions > *without.runs[i].additions) << with.runs[i].method;
    }
}

/// Additions of a method, by its threshold.
std::vector<uint64_t> additionsOf(const AccumulationBench& bench, std::string_view method) {
    std::vector<uint64_t> found;
    for (const AccumulationRun& run : bench.runs)
        if (run.method == method) found.push_back(run.additions.value_or(0));
    return found;
}

TEST(AccumulationBench, SeesAWrongGradientOfAVisibleSplat) {
    constexpr size_t kWords = shared::kGradientRow;
    std::vector<float> expected(3 * kWords);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = 1 + static_cast<float>(i % 7);
    const std::vector<uint32_t> tiles{1, 0, 2};
    EXPECT_EQ(gradientError(expected, expected, tiles), 0);
    for (const bool absolute : {false, true}) {
        for (size_t i = 0; i < expected.size(); ++i) {
            const bool counts = i / kWords != 1 && i % kWords < (absolute ? 11 : 9);
            std::vector<float> found = expected;
            found[i] *= 1.5f;
            EXPECT_EQ(gradientError(found, expected, tiles, absolute) > 0.01, counts) << i;
            found[i] = std::numeric_limits<float>::quiet_NaN();
            EXPECT_EQ(gradientError(found, expected, tiles, absolute) == 0, !counts) << i;
        }
    }
    EXPECT_GT(gradientError(std::vector<float>(3 * kWords), expected, tiles), 0.99) << "nothing was added";
}

TEST(AccumulationBench, VerifiesEveryMethodAtEveryThreshold) {
    const AccumulationBench bench = benchOf(reference::makeMixedScene(100, 37, 21, 4));
    std::set<std::pair<std::string, uint32_t>> expected, found;
    for (const AccumulationRow* row : accumulationTable())
        for (uint32_t threshold = 0; threshold <= (row->balanced ? shared::kBalanceParts : 0); ++threshold)
            expected.insert({std::string(row->name), threshold});
    for (const AccumulationRun& run : bench.runs) {
        found.insert({run.method, run.threshold.value_or(0)});
        EXPECT_TRUE(run.times.verified) << run.method << ": " << run.error;
        EXPECT_EQ(run.times.median_ms > 0, testDevice().has(gpu::Feature::timestamps)) << run.method;
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(bench.runs.size(), expected.size());
    EXPECT_EQ(bench.width, 37u);
    EXPECT_GT(bench.instances, 100u);
}

TEST(AccumulationBench, AdditionsGrowWithTheThreshold) {
    const AccumulationBench bench = benchOf(reference::makeMixedScene(100, 37, 21, 4));
    const uint64_t each = additionsOf(bench, "atomic")[0];
    EXPECT_EQ(additionsOf(bench, "cas")[0], each);
    for (const char* method : {"subgroup", "serial"}) {
        const auto additions = additionsOf(bench, method);
        ASSERT_EQ(additions.size(), shared::kBalanceParts + 1);
        EXPECT_TRUE(std::ranges::is_sorted(additions)) << method;
        EXPECT_LE(additions.back(), each) << method;
        EXPECT_EQ(additions.front() < each, summedLanes(testDevice()) > 0) << method;
    }
}

TEST(AccumulationBench, AFrameThatOverflowsIsEnlarged) {
    const reference::Scene scene = reference::makeMixedScene(3, 400, 300, 2);
    const AccumulationBench bench = benchOf(scene);
    ASSERT_GT(bench.instances, 4 * scene.gaussians.count()) << "the first capacity";
    for (const AccumulationRun& run : bench.runs) EXPECT_TRUE(run.times.verified) << run.method << ": " << run.error;
}

}  // namespace
}  // namespace splat
