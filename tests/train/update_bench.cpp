#include "train/update_bench.h"

#include <cmath>

#include <splatwright/core/rng.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/loss/regularisers.h>
#include <splatwright/train/step/schedule.h>
#include "reference/render.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {

namespace {

const AccumulationRow& accumulation() { return accumulationByName("cas"); }  // needs no feature

FrameCapacity capacityOf(const GaussianModel& model, const Camera& camera) {
    FrameCapacity c{.gaussians = model.capacity,
                    .instances = 1u << 16u,
                    .buckets = 0,
                    .width = static_cast<uint32_t>(camera.width),
                    .height = static_cast<uint32_t>(camera.height)};
    c.transientBytes = BackwardBuffers::transientBytes(c, accumulation());
    return c;
}

double logLinear(double from, double to, double t) { return std::exp(std::log(from) * (1 - t) + std::log(to) * t); }

}  // namespace

UpdateBench::UpdateBench(const reference::Scene& scene, const TrainSettings& settings, Statistics statistics, uint32_t firstStep)
    : store(testDevice(), GaussianStore::roundedCapacity(scene.gaussians.count()), true),
      settings_(settings),
      statistics_(statistics),
      step_(firstStep),
      count_(scene.gaussians.count()),
      schedule_(stepSchedule(settings, kBenchExtent)),
      frame_(testDevice(), capacityOf(store.model, scene.camera)),
      transient_(frame_.transient()),
      backward_(testDevice(), frame_.capacity, accumulation(), transient_),
      forward_(testDevice(), testSort()),
      views_(testDevice().buffer<shared::ViewParameters>("views", 2)),
      parameters_(testDevice().buffer<shared::StepParameters>("step", 1)),
      training_(testDevice().buffer<shared::TrainingState>("training", 1)),
      colourGradients_(testDevice().buffer<glm::vec3>("colour gradients", frame_.capacity.pixels())) {
    store.model.upload(testDevice(), scene.gaussians);
    store.countUnseen(settings.fadeSteps > 0);
    store.model.antialiased = scene.gaussians.antialiased;
    testDevice().upload(colourGradients_, std::vector<glm::vec3>(frame_.capacity.pixels(), glm::vec3(0)));
}

UpdateJob UpdateBench::job(const ViewSelection& view) const {
    return {.model = store.model,
            .moments = store.moments,
            .densifyStatistics = store.densifyStatistics,
            .frame = frame_,
            .gradients = backward_,
            .view = view,
            .step = parameters_,
            .training = training_,
            .seed = settings_.seed,
            .statistics = statistics_,
            .regularisers = regulariserWeights(settings_),
            .unseen = unseenRule(settings_, kBenchViews, store.unseenSteps),
            .noise = settings_.noiseLr > 0};
}

void UpdateBench::step(const Camera& camera, std::span<const shared::SplatGradient> gradients) {
    gpu::Device& device = testDevice();
    const ViewSelection view{views_, 1, static_cast<uint32_t>(camera.width), static_cast<uint32_t>(camera.height)};
    device.upload(views_, std::vector{shared::ViewParameters{}, viewParameters(camera)});
    const shared::StepParameters& parameters = schedule_.at(step_);
    device.upload(parameters_, std::vector{parameters});
    device.upload(frame_.parameters, std::vector{parameters.frame});
    shared::TrainingState training{};
    training.step = step_;
    training.serial = 77;  // as after overflows: only the step may count
    device.upload(training_, std::vector{training});
    device.run("gradients of an empty loss", [&](gpu::Commands& c) {
        forward_.record(c, store.model, frame_, view);
        recordBackward(device, c, accumulation(), {store.model, frame_, backward_, view, colourGradients_});
    });
    std::vector<shared::SplatGradient> all(gradients.begin(), gradients.end());
    all.resize(store.model.capacity);
    device.upload(backward_.gradients, all);
    device.run("update", [&](gpu::Commands& c) { recordUpdate(c, job(view)); });
    ++step_;
}

TrainedNumbers UpdateBench::numbers() { return numbersIn(store.save(), count_); }

std::vector<shared::DensifyStatistics> UpdateBench::densifyStatistics() const {
    return testDevice().download<shared::DensifyStatistics>(store.densifyStatistics, count_);
}

ReferenceSteps::ReferenceSteps(const reference::Scene& scene, const TrainSettings& settings, uint32_t firstStep)
    : splats(reference::fromGaussians(scene.gaussians)),
      optimizer(splats),
      settings_(settings),
      unseen_(settings.fadeSteps, kBenchViews),
      step_(firstStep) {}

void ReferenceSteps::step(const Camera& camera, std::span<const shared::SplatGradient> gradients) {
    std::vector<reference::ProjectedGradient> projected;
    for (const shared::SplatGradient& g : gradients)
        projected.push_back({.mean = g.mean, .conic = g.conic, .opacity = g.opacity, .colour = g.colour});
    const reference::Settings settings{.shDegree = static_cast<int>(shDegreeAt(settings_, step_))};
    const auto gradient = reference::projectBackward(splats, camera, settings, projected).splats;
    reference::UpdateRules rules = updateRules(settings_, step_, kBenchExtent);
    rules.seen = unseen_.acts(seenBy(camera));
    optimizer.update(splats, gradient, rules, step_ + 1);
    ++step_;
}

std::vector<bool> ReferenceSteps::seenBy(const Camera& camera) const {
    std::vector<bool> seen;
    for (const auto& splat : reference::projectAll(splats, camera, {}))
        seen.push_back(reference::reachesAPixel(splat, camera.width, camera.height));
    return seen;
}

std::vector<shared::SplatGradient> ReferenceSteps::ofSeen(const Camera& camera, std::vector<shared::SplatGradient> gradients) const {
    const std::vector<bool> seen = seenBy(camera);
    for (size_t i = 0; i < gradients.size(); ++i) {
        if (!seen[i]) gradients[i] = {};
    }
    return gradients;
}

reference::UpdateRules updateRules(const TrainSettings& s, uint32_t step, double sceneExtent) {
    const double lrMeans = sceneExtent * logLinear(s.lrMeans, s.lrMeansFinal, static_cast<double>(step) / s.steps);
    return {.rates = {lrMeans, s.lrRotations, s.lrScales, s.lrOpacities, s.lrSh0, s.lrShRest},
            .lrNoise = lrMeans * s.noiseLr,
            .opacityReg = s.opacityReg,
            .scaleReg = s.scaleReg,
            .noiseSeed = s.seed + step};
}

std::vector<shared::SplatGradient> randomGradients(size_t count, double low, double high, uint64_t seed) {
    Rng rng(seed);
    std::vector<shared::SplatGradient> gradients(count);
    for (shared::SplatGradient& gradient : gradients) {
        const double size = std::pow(10, rng.uniform(low, high));
        const auto number = [&] { return static_cast<float>(size * rng.uniform(0.2, 1) * (rng.uniform() < 0.5 ? -1 : 1)); };
        for (int k = 0; k < 2; ++k) gradient.mean[k] = number();
        for (int k = 0; k < 3; ++k) gradient.conic[k] = number();
        gradient.opacity = number();
        for (int k = 0; k < 3; ++k) gradient.colour[k] = number();
        for (int k = 0; k < 2; ++k) gradient.absolute[k] = std::abs(number());
    }
    return gradients;
}

}  // namespace splat
