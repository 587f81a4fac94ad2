#include "commands/bench/bench_accumulate.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/train/bench/accumulation_bench.h>
#include <splatwright/train/evaluate/evaluate.h>
#include "commands/bench/bench_scene.h"
#include "commands/dataset_options.h"
#include "commands/options.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

using nlohmann::json;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

struct Options {
    BenchFiles files{.views = 1, .images = {}};
    std::string json;
    uint32_t runs = 21;
    bool absolute = false;
};

uint32_t lanesOf(const AccumulationBench& bench) {
    return bench.lanes.pairs.empty() ? 0 : static_cast<uint32_t>(bench.lanes.pairs.size() - 1);
}

/// Active lanes from which a run reduces.
std::optional<uint32_t> lanesFrom(const AccumulationBench& bench, const AccumulationRun& run) {
    if (!run.threshold || lanesOf(bench) == 0) return std::nullopt;
    return (*run.threshold * lanesOf(bench) + shared::kBalanceParts - 1) / shared::kBalanceParts;
}

/// Times faster than the method atomic; nothing where one of them has no time.
std::optional<double> speedup(const AccumulationBench& bench, const AccumulationRun& run) {
    const auto base = std::ranges::find(bench.runs, "atomic", &AccumulationRun::method);
    if (base == bench.runs.end() || base->times.median_ms <= 0 || run.times.median_ms <= 0) return std::nullopt;
    return base->times.median_ms / run.times.median_ms;
}

/// Pairs of a subgroup and a splat that some lane blends.
uint64_t activePairs(const LaneCounts& lanes) { return std::accumulate(lanes.pairs.begin() + 1, lanes.pairs.end(), uint64_t{0}); }

/// Share of these whose active lanes all update one splat.
double oneSplatShare(const LaneCounts& lanes) {
    const uint64_t active = activePairs(lanes);
    return active > 0 ? 1 - static_cast<double>(lanes.several) / static_cast<double>(active) : 1;
}

template <class Number>
std::string textOf(const std::optional<Number>& number, const char* format) {
    return number ? fmt::format(fmt::runtime(format), *number) : "-";
}

void print(const AccumulationBench& bench) {
    output("{}: {}x{} pixels, {} pairs of splat and tile\n", bench.view, bench.width, bench.height, bench.instances);
    if (lanesOf(bench) > 0) {
        const auto& pairs = bench.lanes.pairs;
        const uint64_t active = activePairs(bench.lanes);
        output("  subgroups of {} lanes: {} pairs with a splat have active lanes, {} have none; {:.2f} % update one splat\n",
               lanesOf(bench), active, pairs[0], 100 * oneSplatShare(bench.lanes));
        output("  active lanes, % of pairs:");
        const auto all = static_cast<double>(std::max(active, uint64_t{1}));
        for (size_t i = 1; i < pairs.size(); ++i) output(" {}:{:.1f}", i, 100 * static_cast<double>(pairs[i]) / all);
        output("\n");
    }
    output("  {:<12} {:>6}  {:>9} {:>9} {:>9}  {:>8}  {:>12}  {:>8}  verified\n", "method", "lanes", "median ms", "min ms", "max ms",
           "speed-up", "additions", "error");
    for (const AccumulationRun& run : bench.runs)
        output("  {:<12} {:>6}  {:>9.4f} {:>9.4f} {:>9.4f}  {:>8}  {:>12}  {:>8.1e}  {}\n", run.method, textOf(lanesFrom(bench, run), "{}"),
               run.times.median_ms, run.times.min_ms, run.times.max_ms, textOf(speedup(bench, run), "{:.2f}"), textOf(run.additions, "{}"),
               run.error, run.times.verified ? "yes" : "NO");
}

json toJson(const AccumulationBench& bench, const AccumulationRun& run) {
    json row{{"method", run.method},       {"median_ms", run.times.median_ms}, {"min_ms", run.times.min_ms},
             {"max_ms", run.times.max_ms}, {"relative_error", run.error},      {"verified", run.times.verified}};
    if (run.threshold) row["threshold_eighths"] = *run.threshold;
    if (const auto lanes = lanesFrom(bench, run)) row["threshold_lanes"] = *lanes;
    if (run.additions) row["additions"] = *run.additions;
    if (const auto factor = speedup(bench, run)) row["speedup_over_atomic"] = *factor;
    return row;
}

json toJson(const AccumulationBench& bench) {
    json view{{"view", bench.view}, {"width", bench.width}, {"height", bench.height}, {"instances", bench.instances}};
    if (lanesOf(bench) > 0) {
        view["subgroup_lanes"] = lanesOf(bench);
        view["pairs_by_active_lanes"] = bench.lanes.pairs;
        view["one_splat_share"] = oneSplatShare(bench.lanes);
    }
    view["rows"] = json::array();
    for (const AccumulationRun& run : bench.runs) view["rows"].push_back(toJson(bench, run));
    return view;
}

Exit runAccumulate(Context& context, const Options& options) {
    if (!options.json.empty()) checkWritable(options.json);
    BenchScene scene = readBenchScene(context, options.files);
    gpu::Device& device = context.device();
    const Gaussians& gaussians = scene.gaussians;
    GaussianModel model(device, static_cast<uint32_t>(gaussians.count()));
    model.upload(device, gaussians);

    output("{}; native float atomics: {}\n", device.name(), device.has(gpu::Feature::floatAtomics) ? "yes" : "no");
    json views = json::array();
    bool verified = true;
    for (Photograph& photograph : scene.photographs) {
        const AccumulationBench bench =
            benchAccumulation(device, context.sort(), {model, gaussians.shDegree, options.files.images.background}, std::move(photograph),
                              {.runs = options.runs, .mostMs = kNoLimit}, options.absolute);
        print(bench);
        views.push_back(toJson(bench));
        verified = verified && std::ranges::all_of(bench.runs, [](const AccumulationRun& run) { return run.times.verified; });
    }
    if (!options.json.empty()) {
        const json all{{"device", device.name()},
                       {"absolute", options.absolute},
                       {"float_atomics", device.has(gpu::Feature::floatAtomics)},
                       {"views", views}};
        writeFileAtomically(options.json, jsonText(all, 2) + "\n");
    }
    if (!verified) spdlog::error("bench accumulate: a method's gradients were wrong; its row says NO and has no times");
    return verified ? Exit::done : Exit::failed;
}

}  // namespace

Run addBenchAccumulate(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    command.add_option("SPLATS", o->files.splats, fmt::format("Trained splats ({})", splatFormatNames()))->required()->type_name("");
    command.add_option("DATA", o->files.data, "Dataset that they were trained on")->required()->type_name("");
    addNumber(command, "--views", o->files.views, {.min = 1, .max = 1000}, "Number of training views, evenly spaced");
    addNumber(command, "--runs", o->runs, {.min = 1, .max = 1001}, "Timed runs per method and threshold");
    command.add_flag("--absolute", o->absolute, "Also sum absolute gradients, as strategy `default` trains");
    addTestEvery(command, o->files.testEvery, "Every N-th view (sorted by name) is a test view; 0: none");
    addDatasetOptions(command, o->files.reading);
    addDownscale(command, o->files.images.downscale, "Image downscale factor");
    addColour(command, "--background", o->files.images.background, "Background colour of renders and transparent images");
    command.add_option("--json", o->json, "Also write the results to this JSON file")->type_name("FILE");
    return [o](Context& context) { return runAccumulate(context, *o); };
}

}  // namespace splat::app
