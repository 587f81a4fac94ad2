#include <algorithm>
#include <memory>
#include <span>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/gpu/driver.h>
#include <splatwright/primitives/bench.h>
#include "commands/bench/bench_accumulate.h"
#include "commands/bench/bench_json.h"
#include "commands/bench/bench_page.h"
#include "commands/bench/bench_train.h"
#include "commands/bench/benchmarks.h"
#include "commands/bench/machine.h"
#include "commands/command.h"
#include "commands/options.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

using nlohmann::json;
using primitives::BenchRow;
using Sizes = std::vector<uint32_t>;

struct Options {
    std::vector<std::string> what;  ///< names of benchmarks, then perhaps SPLATS and DATA
    Sizes sizes;
    std::string json, html;
    bool classic = false;
};

constexpr const char* kAll = "all";

/// What a command line asks for.
struct Choice {
    std::vector<const Benchmark*> benchmarks;
    std::vector<std::string> files;  ///< SPLATS and DATA, or none

    bool takesScene() const { return std::ranges::any_of(benchmarks, &Benchmark::takesScene); }
};

Choice chosen(const Options& options) {
    if (options.classic && options.what != std::vector<std::string>{"sort"})
        throw InputError("bench --classic: found '{}', expected sort alone", fmt::join(options.what, " "));
    if (options.classic) return {{&classicSortBenchmark()}, {}};
    Choice choice;
    for (const std::string& word : options.what) {
        const size_t before = choice.benchmarks.size();
        for (const Benchmark& b : benchmarks()) {
            if (choice.files.empty() && (word == b.name || word == kAll)) choice.benchmarks.push_back(&b);
        }
        if (choice.benchmarks.size() == before) choice.files.push_back(word);  // from the first word on that is no benchmark
    }
    const size_t files = choice.files.size();
    if (files > 0 && (files != 2 || !choice.takesScene())) {
        std::vector<std::string_view> known;
        for (const Benchmark& b : benchmarks()) known.push_back(b.name);
        throw InputError("bench: found '{}', expected {} or {}{}", fmt::join(choice.files, " "), fmt::join(known, ", "), kAll,
                         choice.takesScene() ? ", or SPLATS and DATA after these" : "");
    }
    if (!options.sizes.empty() && std::ranges::all_of(choice.benchmarks, &Benchmark::takesScene))
        throw InputError("bench --n: found '{}', which have no numbers of items", fmt::join(options.what, " "));
    return choice;
}

/// The sizes of each call of a benchmark: one at a time, so that rows are shown and kept as they come, but for classic sorts, which leave out sizes by the
/// times of smaller ones.
std::vector<Sizes> callsOf(const Benchmark& benchmark, const gpu::Device& device, const Options& options) {
    if (benchmark.takesScene()) return {Sizes()};
    const std::span<const uint32_t> usual = device.isSoftware() ? benchmark.softwareSizes : benchmark.sizes;
    const Sizes sizes = options.sizes.empty() ? Sizes(usual.begin(), usual.end()) : options.sizes;
    if (sizes.empty() || options.classic) return {sizes};
    std::vector<Sizes> calls;
    for (const uint32_t size : sizes) calls.push_back({size});
    return calls;
}

void writeJson(const gpu::Device& device, const std::vector<BenchRow>& rows, const std::string& file) {
    const json all{{"device", device.name()}, {"driver", gpu::driverText(device)}, {"machine", machineText()}, {"rows", toJson(rows)}};
    writeFileAtomically(file, jsonText(all, 2) + "\n");
}

void writePage(const gpu::Device& device, const std::vector<BenchRow>& rows, const std::string& file) {
    writeFileAtomically(
        file, benchPage(rows, {"Machine: " + machineText(), "Device: " + device.name(), "Driver: " + printable(gpu::driverText(device))}));
}

/// Writes the files anew after each call, so that a run that is ended has what it measured.
std::vector<BenchRow> runAndPrint(BenchInputs& inputs, const Choice& choice, const Options& options) {
    std::vector<BenchRow> rows;
    const gpu::Device& device = inputs.device();
    output("{}\n{:<16} {:<22} {:>10}  {:>9} {:>9} {:>9}  {:>10}  verified\n", device.name(), "bench", "variant", "n", "median ms", "min ms",
           "max ms", "M/s");
    for (const Benchmark* benchmark : choice.benchmarks) {
        for (const Sizes& sizes : callsOf(*benchmark, device, options)) {
            for (const BenchRow& row : benchmark->run(inputs, sizes)) {
                output("{}", benchLine(row));
                rows.push_back(row);
            }
            if (!options.json.empty()) writeJson(device, rows, options.json);
            if (!options.html.empty()) writePage(device, rows, options.html);
        }
    }
    return rows;
}

Exit runBench(Context& context, const Options& options) {
    if (options.what.empty()) throw InputError("bench: expected what to time, train or accumulate; --help lists what there is");
    const Choice choice = chosen(options);
    for (const std::string& file : {options.json, options.html}) {
        if (!file.empty()) checkWritable(file);
    }
    BenchInputs inputs(context);
    if (!choice.files.empty()) inputs.read(choice.files[0], choice.files[1]);
    const std::vector<BenchRow> rows = runAndPrint(inputs, choice, options);
    if (options.classic) output("\n{}", asText(benchTables(rows).front()));
    const bool verified = std::ranges::all_of(rows, [](const BenchRow& row) { return row.verified || row.skipped; });
    if (!verified) spdlog::error("bench: a result was wrong; its row says NO and has no times");
    return verified ? Exit::done : Exit::failed;
}

Run addBench(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    std::string what = "To verify, then time:";
    for (const Benchmark& b : benchmarks()) {
        const std::string sizes = b.takesScene() ? "[SPLATS DATA]" : fmt::format("[--n {}]", fmt::join(b.sizes, ","));
        what += fmt::format("\n{}: {} {}", b.name, b.help, sizes);
    }
    what += fmt::format("\n{}: all of these\nSPLATS DATA: trained splats and their dataset [a procedural scene, trained briefly]", kAll);
    command.add_option("WHAT", options->what, what)->type_name("");
    addNumbers(command, "--n", options->sizes, {1u, 1u << 28u},
               fmt::format("Numbers of items [as listed above; on a CPU device {}]", fmt::join(kSoftwareBenchSizes, ",")));
    command.add_flag(
        "--classic", options->classic,
        fmt::format("With sort: compare classic algorithms on CPU and GPU [--n {}]", fmt::join(classicSortBenchmark().sizes, ",")));
    command.add_option("--json", options->json, "Also write the results to this JSON file")->type_name("FILE");
    command.add_option("--html", options->html, "Also write tables and charts to this HTML file")->type_name("FILE");
    CLI::App* train = command.add_subcommand("train", "Train scenes x presets x seeds; print mean and deviation of their figures");
    CLI::App* accumulate = command.add_subcommand("accumulate", "Verify and time the gradient accumulation methods on trained splats");
    for (CLI::App* own : {train, accumulate}) own->fallthrough();  // global options may stand after it as well
    return [options, train, accumulate, runTrain = addBenchTrain(*train),
            runAccumulate = addBenchAccumulate(*accumulate)](Context& context) {
        if (!train->parsed() && !accumulate->parsed()) return runBench(context, *options);
        const std::string_view name = train->parsed() ? "train" : "accumulate";
        if (!options->what.empty() || !options->sizes.empty() || !options->json.empty() || !options->html.empty() || options->classic ||
            (train->parsed() && accumulate->parsed()))
            throw InputError("bench {}: found '{}', expected no other benchmark or file, and no --n, --json, --html or --classic before it",
                             name, fmt::join(options->what, " "));
        return train->parsed() ? runTrain(context) : runAccumulate(context);
    };
}

}  // namespace

extern const Command kBenchCommand{
    .name = "bench",
    .summary = "Verify and time primitives, passes and training steps; compare presets over scenes and seeds",
    .add = addBench,
};

}  // namespace splat::app
