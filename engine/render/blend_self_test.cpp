#include <splatwright/render/blend_self_test.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/core/rng.h>
#include <splatwright/scene/cameras/camera.h>
#include "kernels/blend_subgroup.h"
#include "kernels/blend_subtile.h"

namespace splat {

namespace {

constexpr uint32_t kWidth = 37, kHeight = 21,
                   kGaussians = 60;  // all visible, in tiles that the image cuts; lists are longer than a subgroup
constexpr float kTolerance = 1e-3f;  // of the largest value: sums in another order differ by 1e-6 of it

Gaussians smallScene() {
    Rng rng(1);
    const auto between = [&](double low, double high) { return static_cast<float>(rng.uniform(low, high)); };
    Gaussians scene;
    scene.resize(kGaussians, 0);
    for (uint32_t i = 0; i < kGaussians; ++i) {
        scene.means[i] = {between(-0.5, 0.5), between(-0.4, 0.4), between(2, 5)};
        scene.rotations[i] = {between(0.1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
        scene.logScales[i] = {between(-3, -0.5), between(-3, -0.5), between(-3, -0.5)};
        scene.logitOpacities[i] = between(-2, 3);
        scene.sh[i] = {between(-1, 1), between(-1, 1), between(-1, 1)};
    }
    return scene;
}

FrameCapacity capacityFor(const GaussianModel& model, const AccumulationRow& row, uint32_t buckets) {
    FrameCapacity c{.gaussians = model.capacity, .instances = 1u << 12u, .buckets = buckets, .width = kWidth, .height = kHeight};
    for (const AccumulationRow* each : {&row, &accumulationByName("tree-cas")})
        c.transientBytes = std::max<VkDeviceSize>(c.transientBytes, BackwardBuffers::transientBytes(c, *each));
    return c;
}

/// The small scene's frame, and buffers for the gradients of a method and of tree-cas.
struct Bench {
    static constexpr uint32_t kBuckets = 1u << 10u;
    Bench(gpu::Device& on, const primitives::RadixSort& sort, const AccumulationRow& row, uint32_t buckets = kBuckets)
        : device(on),
          forward(on, sort),
          model(on, kGaussians),
          views(on.buffer<shared::ViewParameters>("self test view", 1)),
          frame(on, capacityFor(model, row, buckets)),
          transient(frame.transient()),
          buffers(on, frame.capacity, row, transient),
          ofPixels(on.buffer<glm::vec3>("self test gradients", size_t{kWidth} * kHeight)) {
        model.upload(device, smallScene());
        device.upload(
            views,
            std::vector{viewParameters({.width = kWidth, .height = kHeight, .fx = 30, .fy = 30, .cx = kWidth / 2.0, .cy = kHeight / 2.0})});
        device.upload(frame.parameters, std::vector{shared::FrameParameters{.background = glm::vec3(0.2f, 0.4f, 0.1f)}});
        Rng rng(2);
        std::vector<glm::vec3> gradients(size_t{kWidth} * kHeight);
        for (glm::vec3& g : gradients) g = {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
        device.upload(ofPixels, gradients);
    }
    std::vector<float> picture() const {
        device.run("blend self test",
                   [&](gpu::Commands& c) { forward.record(c, model, frame, {.views = views, .width = kWidth, .height = kHeight}); });
        return device.download<float>(frame.colours.words(), size_t{3} * kWidth * kHeight);
    }
    /// After picture().
    std::vector<float> gradients(const AccumulationRow& row) const {
        const ViewSelection view{.views = views, .width = kWidth, .height = kHeight};
        device.run("accumulation self test", [&](gpu::Commands& c) {
            recordBackward(device, c, row, {.model = model, .frame = frame, .buffers = buffers, .view = view, .colourGradients = ofPixels});
        });
        return device.download<float>(buffers.gradients.words(), size_t{shared::kGradientRow} * kGaussians);
    }

    gpu::Device& device;
    Forward forward;
    GaussianModel model;
    gpu::Buffer views;
    FrameBuffers frame;
    gpu::Arena transient;
    BackwardBuffers buffers;
    gpu::Buffer ofPixels;
};

/// Values come in rows, whose columns are of different sizes: each is compared with the largest of its column.
std::string compare(const std::vector<float>& found, const std::vector<float>& expected, size_t columns) {
    std::vector<float> largest(columns, 0.0f);
    for (size_t i = 0; i < expected.size(); ++i) largest[i % columns] = std::max(largest[i % columns], std::abs(expected[i]));
    for (size_t i = 0; i < expected.size(); ++i) {
        const bool isNear = std::abs(found[i] - expected[i]) <= kTolerance * largest[i % columns];  // false for NaN
        if (!isNear) return fmt::format("value {} of row {} is {}, expected {}", i % columns, i / columns, found[i], expected[i]);
    }
    return "";
}

thread_local bool testing = false;  // the test's own passes are not tested

struct Testing {
    Testing() { testing = true; }
    ~Testing() { testing = false; }
};

void settle(gpu::Device& device, const std::string& name, const std::vector<const gpu::KernelInfo*>& kernels,
            const std::function<std::string()>& test) {
    if (testing || kernels.empty() || !needsBlendSelfTest(device)) return;
    device.known<bool>("self test of " + name, [&] {
        const std::string failure = test();
        if (failure.empty()) return true;
        spdlog::warn("{} gives wrong results on '{}' with subgroup operations ({}); kernels without take their place", name, device.name(),
                     failure);
        for (const gpu::KernelInfo* kernel : kernels) device.exclude(*kernel);
        return false;
    });
}

}  // namespace

bool needsBlendSelfTest(const gpu::Device& device) {
    return device.has(gpu::Feature::subgroupOperations) && !device.has(gpu::Feature::maximalReconvergence) && !device.isSoftware();
}

std::string testBlend(gpu::Device& device, const primitives::RadixSort& sort) {
    const Testing guard;
    // With checkpoints by groups of a tile, without them by sub-tiles; each is compared with the one that takes its place.
    const std::pair<const gpu::KernelInfo*, uint32_t> cases[] = {{&kernels::blend_subgroup::info(), Bench::kBuckets},
                                                                 {&kernels::blend_subtile::info(), 0}};
    for (const auto& [kernel, buckets] : cases) {
        if (!device.runs(*kernel)) continue;
        const Bench bench(device, sort, accumulationByName("tree-cas"), buckets);
        const std::vector<float> found = bench.picture();
        device.exclude(*kernel);
        const std::string failure = compare(found, bench.picture(), 3);
        device.include(*kernel);
        if (!failure.empty()) return failure;
    }
    return "";
}

std::string testAccumulation(gpu::Device& device, const primitives::RadixSort& sort, const AccumulationRow& row) {
    const Testing guard;
    const Bench bench(device, sort, row);
    bench.picture();
    const std::vector<float> found = bench.gradients(row), expected = bench.gradients(accumulationByName("tree-cas"));
    return compare(found, expected, shared::kGradientRow);
}

void settleBlend(gpu::Device& device, const primitives::RadixSort& sort) {
    settle(device, "the blend", {&kernels::blend_subgroup::info(), &kernels::blend_subtile::info()},
           [&] { return testBlend(device, sort); });
}

void settleAccumulation(gpu::Device& device, const primitives::RadixSort& sort, const AccumulationRow& row) {
    if (!row.withSubgroups) return;
    settle(device, fmt::format("accumulation by {}", row.name), row.withSubgroups(), [&] { return testAccumulation(device, sort, row); });
}

}  // namespace splat
