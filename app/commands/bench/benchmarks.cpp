#include "commands/bench/benchmarks.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include <splatwright/train/bench/accumulation_bench.h>
#include <splatwright/train/bench/forward_bench.h>
#include <splatwright/train/bench/step_bench.h>

namespace splat::app {

namespace {

using primitives::BenchRow;
using Rows = std::vector<BenchRow>;
using Sizes = std::vector<uint32_t>;

constexpr size_t kViews = 3;  // of the scene, for single passes
constexpr primitives::BenchOptions kSceneOptions{}, kSoftwareSceneOptions{.runs = 3, .mostMs = 2000};

constexpr uint32_t kSortSizes[] = {10'000, 100'000, 300'000, 1u << 20u, 1u << 22u, 1u << 24u, 1u << 25u};
constexpr uint32_t kScanSizes[] = {1u << 20u, 1u << 22u, 1u << 24u, 1u << 25u};
constexpr uint32_t kCdfSizes[] = {100'000, 1'000'000, 4'000'000};
constexpr uint32_t kClassicSizes[] = {32, 1u << 16u, 1u << 20u, 1u << 24u, 1u << 25u};

const primitives::BenchOptions& optionsFor(BenchInputs& inputs) {
    return inputs.device().isSoftware() ? kSoftwareSceneOptions : kSceneOptions;
}

/// Rows of each of a few views.
template <class Bench>
Rows benchViews(BenchInputs& inputs, const Bench& bench) {
    const BenchScene& scene = inputs.scene();
    GaussianModel model(inputs.device(), static_cast<uint32_t>(scene.gaussians.count()));
    model.upload(inputs.device(), scene.gaussians);
    Rows rows;
    for (const size_t i : spreadEvenly(scene.photographs.size(), kViews))
        std::ranges::move(bench(EvaluatedModel{model, scene.gaussians.shDegree}, scene.photographs[i]), std::back_inserter(rows));
    return rows;
}

Rows benchForwardPass(BenchInputs& inputs, const Sizes&) {
    return benchViews(inputs, [&](const EvaluatedModel& model, const Photograph& view) {
        return Rows{benchForward(inputs.device(), inputs.context().sort(), model, view, optionsFor(inputs))};
    });
}

/// As a row of the table: named by method and threshold.
BenchRow rowOf(const AccumulationBench& bench, const AccumulationRun& run) {
    BenchRow row = run.times;
    if (run.threshold) row.variant += fmt::format(" from {}/{}", *run.threshold, shared::kBalanceParts);
    row.subject = fmt::format("{}, {}x{}", bench.view, bench.width, bench.height);
    return row;
}

Rows benchBackwardPass(BenchInputs& inputs, const Sizes&) {
    return benchViews(inputs, [&](const EvaluatedModel& model, const Photograph& view) {
        const AccumulationBench bench = benchAccumulation(inputs.device(), inputs.context().sort(), model, view, optionsFor(inputs));
        Rows rows;
        for (const AccumulationRun& run : bench.runs) rows.push_back(rowOf(bench, run));
        return rows;
    });
}

Rows benchTrainingStep(BenchInputs& inputs, const Sizes&) {
    const BenchScene& scene = inputs.scene();
    return benchStep(inputs.device(), inputs.context().sort(), scene.gaussians, scene.photographs, optionsFor(inputs));
}

constexpr std::array kBenchmarks{
    Benchmark{"sort", "radix sort of key and payload, each variant, 32- and 16-bit keys",
              [](BenchInputs& inputs, const Sizes& sizes) { return primitives::benchSort(inputs.device(), sizes); }, kSortSizes,
              kSoftwareBenchSizes},
    Benchmark{"scan", "exclusive prefix sums of words and 64-bit numbers and ordered compaction, each variant",
              [](BenchInputs& inputs, const Sizes& sizes) { return primitives::benchScan(inputs.device(), sizes); }, kScanSizes,
              kSoftwareBenchSizes},
    Benchmark{"cdf", "building an exact cumulative distribution, and sampling it",
              [](BenchInputs& inputs, const Sizes& sizes) { return primitives::benchCdf(inputs.device(), sizes); }, kCdfSizes,
              kSoftwareBenchSizes},
    Benchmark{"forward", "pictures of a scene's training views", benchForwardPass},
    Benchmark{"backward", "backward pass of a scene's training views, each accumulation method", benchBackwardPass},
    Benchmark{"step", "training step, by stage", benchTrainingStep},
};

constexpr Benchmark kClassicSort{"sort", "sorts of keys by classic algorithms on CPU and GPU",
                                 [](BenchInputs& inputs, const Sizes& sizes) { return primitives::benchClassic(inputs.device(), sizes); },
                                 kClassicSizes, kClassicSizes};

}  // namespace

const BenchScene& BenchInputs::scene() {
    if (!scene_) scene_ = makeBenchScene(context_);
    return *scene_;
}

std::span<const Benchmark> benchmarks() { return kBenchmarks; }

const Benchmark& classicSortBenchmark() { return kClassicSort; }

}  // namespace splat::app
