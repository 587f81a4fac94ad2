#include <splatwright/train/bench/accumulation_bench.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/train/loss/picture_gradient.h>
#include <splatwright/train/loss/targets.h>

namespace splat {

namespace {

constexpr double kTolerance = 1e-3;  // sums of floats in another order; methods differ by about 1e-5
constexpr const char* kBench = "backward";
constexpr const char* kReference = "tree-cas";
constexpr int kProbeDownscale = 8;  // of the image on which the time of a run is measured to predict it

/// Of gradients of splats: words that a method sums without inverse depths.
constexpr size_t wordsOf(bool absolute) {
    const size_t end = absolute ? offsetof(shared::SplatGradient, carried) : offsetof(shared::SplatGradient, absolute);
    return end / sizeof(float);
}

FrameCapacity capacityFor(const GaussianModel& model, const Camera& camera, uint32_t instances, uint32_t buckets) {
    FrameCapacity capacity{.gaussians = model.capacity,
                           .instances = instances,
                           .buckets = buckets,
                           .width = static_cast<uint32_t>(camera.width),
                           .height = static_cast<uint32_t>(camera.height)};
    for (const AccumulationRow* row : accumulationTable())
        capacity.transientBytes = std::max(capacity.transientBytes, BackwardBuffers::transientBytes(capacity, *row));
    return capacity;
}

/// A view's frame, and the gradient of its loss.
struct Scene {
    Scene(gpu::Device& on, const EvaluatedModel& benched, Photograph photograph)
        : device(on),
          model(benched),
          camera(photograph.camera),
          targets(device, {&photograph, 1}, UINT64_MAX),
          views(device.buffer<shared::ViewParameters>("view", 1)),
          view{views, 0, static_cast<uint32_t>(camera.width), static_cast<uint32_t>(camera.height)} {
        device.upload(views, std::vector{viewParameters(camera)});
    }
    shared::FrameParameters parameters() const {
        return {.shDegree = static_cast<uint32_t>(model.shDegree), .background = model.background};
    }
    BackwardBuffers buffersFor(const AccumulationRow& row) const {
        gpu::Arena transient = frame->transient();
        return {device, frame->capacity, row, transient};
    }
    BackwardJob job(const BackwardBuffers& buffers, uint32_t threshold) const {
        return {.model = model.gaussians,
                .frame = *frame,
                .buffers = buffers,
                .view = view,
                .colourGradients = colourGradients,
                .balanceThreshold = threshold,
                .absolute = absolute};
    }
    std::vector<float> gradientsIn(const BackwardBuffers& buffers) const {
        return device.download<float>(buffers.gradients.words(), size_t{shared::kGradientRow} * model.gaussians.capacity);
    }

    gpu::Device& device;
    const EvaluatedModel& model;
    Camera camera;
    Targets targets;
    gpu::Buffer views, colourGradients;
    ViewSelection view;
    std::optional<FrameBuffers> frame;
    uint32_t instances = 0;
    std::vector<uint32_t> tileCounts;  ///< per Gaussian
    std::vector<float> expected;       ///< gradients by the reference method
    bool absolute = false;             ///< absolute gradients are summed as well
};

/// The forward pass, in a frame that is enlarged until it fits.
void draw(const Forward& forward, Scene& scene) {
    uint32_t instances = 4 * scene.model.gaussians.capacity, buckets = instances / shared::kBucketSize + 1;
    for (;;) {
        scene.frame.reset();  // frees the old buffers first, so that both are never in memory
        scene.frame.emplace(scene.device, capacityFor(scene.model.gaussians, scene.camera, instances, buckets));
        scene.device.upload(scene.frame->parameters, std::vector{scene.parameters()});
        scene.device.run("forward", [&](gpu::Commands& c) { forward.record(c, scene.model.gaussians, *scene.frame, scene.view); });
        const auto state = scene.device.download<shared::FrameState>(scene.frame->state, 1)[0];
        // The forward pass does not halt for buckets: the backward pass admits them.
        const uint32_t bucketsNeeded = scene.device.download<uint32_t>(scene.frame->bucketCount, 1)[0];
        if (!state.halted && bucketsNeeded <= buckets) break;
        instances = std::max(instances, FrameCapacity::withMargin(state.instancesNeeded));
        buckets = std::max(buckets, FrameCapacity::withMargin(bucketsNeeded));
    }
    scene.instances = scene.device.download<uint32_t>(scene.frame->instanceCount, 1)[0];
    scene.tileCounts = scene.device.download<uint32_t>(scene.frame->tileCounts, scene.model.gaussians.capacity);
}

void differentiateLoss(Scene& scene) {
    scene.colourGradients =
        photometricGradient(scene.device, *scene.frame, scene.parameters(), scene.targets, {scene.view.width, scene.view.height});
}

/// The reference method's gradients, and the counts of lanes where the device has subgroups.
LaneCounts takeReference(Scene& scene) {
    const AccumulationRow& row = accumulationByName(kReference);
    const BackwardBuffers buffers = scene.buffersFor(row);
    const BackwardJob job = scene.job(buffers, 0);
    scene.device.run("backward", [&](gpu::Commands& c) { recordBackward(scene.device, c, row, job); });
    scene.expected = scene.gradientsIn(buffers);
    return summedLanes(scene.device) > 0 ? countLanes(scene.device, job) : LaneCounts{};
}

AccumulationRun timeRow(const AccumulationRow& row, const Scene& scene, std::optional<uint32_t> threshold,
                        const primitives::BenchOptions& options) {
    AccumulationRun run{.method = std::string(row.name), .threshold = threshold, .times = {}, .additions = {}};
    const BackwardBuffers buffers = scene.buffersFor(row);
    const BackwardJob job = scene.job(buffers, threshold.value_or(0));
    if (row.count) run.additions = countAdditions(scene.device, row, job);
    const auto verify = [&] {
        run.error = gradientError(scene.gradientsIn(buffers), scene.expected, scene.tileCounts, scene.absolute);
        return run.error <= kTolerance;
    };
    run.times = primitives::measure(scene.device, options, {.bench = kBench, .variant = run.method, .n = scene.instances},
                                    {.prepare = [&](gpu::Commands& c) { c.fill(buffers.gradients, 0xffffffff); },
                                     .work = [&](gpu::Commands& c) { recordBackward(scene.device, c, row, job); },
                                     .verify = verify});
    return run;
}

void checkSize(const gpu::Device& device, const GaussianModel& model) {
    for (const AccumulationRow* row : accumulationTable()) {
        const uint32_t most = mostGaussians(device, *row);
        if (model.capacity > most)
            throw InputError("found {} Gaussians, expected at most {} for accumulation '{}' on {}", model.capacity, most, row->name,
                             device.name());
    }
}

/// Predicts the time of a run from one on a small image: both take time per pair of a splat and a tile.
class Probe {
public:
    /// Predicts 0 if the options have no limit.
    Probe(gpu::Device& device, const Forward& forward, const EvaluatedModel& model, const Photograph& photograph,
          const primitives::BenchOptions& options)
        : mostMs_(options.mostMs) {
        if (std::isinf(mostMs_)) return;
        scene_.emplace(device, model, downscaled(photograph, kProbeDownscale));
        draw(forward, *scene_);
        differentiateLoss(*scene_);
    }
    /// The row of a method that would take too long for `instances` pairs; nothing for others.
    std::optional<primitives::BenchRow> refusal(const AccumulationRow& row, uint32_t instances) const {
        const double predicted = scene_ ? millisecondsOf(row) * instances / std::max(1u, scene_->instances) : 0;
        if (predicted <= mostMs_) return std::nullopt;
        return primitives::BenchRow{.bench = kBench,
                                    .variant = std::string(row.name),
                                    .n = instances,
                                    .skipped = true,
                                    .note = fmt::format("not run: predicted {:.3g} s, limit {:.3g} s", predicted / 1e3, mostMs_ / 1e3)};
    }

private:
    /// By the host's clock, of the second run: the first compiles the kernels.
    double millisecondsOf(const AccumulationRow& row) const {
        const BackwardBuffers buffers = scene_->buffersFor(row);
        const BackwardJob job = scene_->job(buffers, 0);
        const auto run = [&] { scene_->device.run("backward", [&](gpu::Commands& c) { recordBackward(scene_->device, c, row, job); }); };
        run();
        const auto start = std::chrono::steady_clock::now();
        run();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    double mostMs_;
    std::optional<Scene> scene_;
};

}  // namespace

double gradientError(std::span<const float> found, std::span<const float> expected, std::span<const uint32_t> tileCounts, bool absolute) {
    const size_t words = wordsOf(absolute);
    std::array<double, wordsOf(true)> difference{}, norm{};
    for (size_t i = 0; i < tileCounts.size(); ++i) {
        if (tileCounts[i] == 0) continue;
        for (size_t word = 0; word < words; ++word) {
            const auto value = static_cast<double>(expected[i * shared::kGradientRow + word]);
            difference[word] += std::pow(static_cast<double>(found[i * shared::kGradientRow + word]) - value, 2);
            norm[word] += value * value;
        }
    }
    double worst = 0;
    for (size_t word = 0; word < words; ++word) {
        const double error = norm[word] > 0 ? std::sqrt(difference[word] / norm[word]) : std::sqrt(difference[word]);
        if (std::isnan(error)) return error;
        worst = std::max(worst, error);
    }
    return worst;
}

AccumulationBench benchAccumulation(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model,
                                    Photograph photograph, const primitives::BenchOptions& options, bool absolute) {
    checkSize(device, model.gaussians);
    AccumulationBench bench{.view = photograph.name, .lanes = {}, .runs = {}};
    const Forward forward(device, sort);
    const Probe probe(device, forward, model, photograph, options);
    Scene scene(device, model, std::move(photograph));
    scene.absolute = absolute;
    draw(forward, scene);
    differentiateLoss(scene);
    bench.width = scene.view.width;
    bench.height = scene.view.height;
    bench.instances = scene.instances;
    bench.lanes = takeReference(scene);
    for (const AccumulationRow* row : accumulationTable()) {
        if (auto refused = probe.refusal(*row, scene.instances)) {
            bench.runs.push_back({.method = std::string(row->name), .threshold = {}, .times = std::move(*refused), .additions = {}});
        } else if (!row->balanced) {
            bench.runs.push_back(timeRow(*row, scene, std::nullopt, options));
        } else {
            for (uint32_t threshold = 0; threshold <= shared::kBalanceParts; ++threshold)
                bench.runs.push_back(timeRow(*row, scene, threshold, options));
        }
    }
    return bench;
}

}  // namespace splat
