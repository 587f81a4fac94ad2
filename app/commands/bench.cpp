#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/primitives/bench.h>
#include "commands/bench/bench_accumulate.h"
#include "commands/bench/bench_page.h"
#include "commands/bench/bench_train.h"
#include "commands/bench/machine.h"
#include "commands/command.h"
#include "commands/options.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

using nlohmann::json;
using primitives::BenchRow;
using Sizes = std::vector<uint32_t>;

constexpr uint32_t kSoftwareSizes[] = {1u << 16u, 1u << 20u};

struct Benchmark {
    std::string_view name;
    std::string_view help;
    std::span<const uint32_t> sizes;  ///< default of --n on a GPU
    std::vector<BenchRow> (*run)(gpu::Device& device, const Sizes& sizes);
    std::span<const uint32_t> softwareSizes = kSoftwareSizes;  ///< default of --n on a CPU device
};

constexpr uint32_t kSortSizes[] = {10'000, 100'000, 300'000, 1u << 20u, 1u << 22u, 1u << 24u, 1u << 25u};
constexpr uint32_t kScanSizes[] = {1u << 20u, 1u << 22u, 1u << 24u, 1u << 25u};
constexpr uint32_t kCdfSizes[] = {100'000, 1'000'000, 4'000'000};
constexpr uint32_t kClassicSizes[] = {32, 1u << 16u, 1u << 20u, 1u << 24u, 1u << 25u};

constexpr std::array kBenchmarks{
    Benchmark{"sort", "radix sort of key and payload, each variant, 32- and 16-bit keys", kSortSizes,
              [](gpu::Device& device, const Sizes& sizes) { return primitives::benchSort(device, sizes); }},
    Benchmark{"scan", "exclusive prefix sums and ordered compaction, each variant", kScanSizes,
              [](gpu::Device& device, const Sizes& sizes) { return primitives::benchScan(device, sizes); }},
    Benchmark{"cdf", "building an exact cumulative distribution, and sampling it", kCdfSizes,
              [](gpu::Device& device, const Sizes& sizes) { return primitives::benchCdf(device, sizes); }},
};

/// In the place of "sort" with --classic.
constexpr Benchmark kClassicSort{"sort", "sorts of keys by classic algorithms on CPU and GPU", kClassicSizes,
                                 [](gpu::Device& device, const Sizes& sizes) { return primitives::benchClassic(device, sizes); },
                                 kClassicSizes};

struct Options {
    std::vector<std::string> what;
    Sizes sizes;
    std::string json, html;
    bool classic = false;
};

constexpr const char* kAll = "all";

std::vector<const Benchmark*> chosen(const Options& options) {
    if (options.classic && options.what != std::vector<std::string>{"sort"})
        throw InputError("bench --classic: found '{}', expected sort alone", fmt::join(options.what, " "));
    if (options.classic) return {&kClassicSort};
    std::vector<const Benchmark*> benchmarks;
    for (const std::string& name : options.what) {
        const size_t before = benchmarks.size();
        for (const Benchmark& b : kBenchmarks) {
            if (name == b.name || name == kAll) benchmarks.push_back(&b);
        }
        if (benchmarks.size() > before) continue;
        std::vector<std::string_view> known;
        for (const Benchmark& b : kBenchmarks) known.push_back(b.name);
        throw InputError("bench: unknown benchmark '{}', expected {} or {}", name, fmt::join(known, ", "), kAll);
    }
    return benchmarks;
}

json toJson(const BenchRow& row) {
    json entry{{"bench", row.bench},   {"variant", row.variant},  {"n", row.n}, {"median_ms", row.median_ms}, {"min_ms", row.min_ms},
               {"max_ms", row.max_ms}, {"verified", row.verified}};
    if (row.skipped) entry["skipped"] = true;
    if (!row.note.empty()) entry["note"] = row.note;
    return entry;
}

void print(const BenchRow& row) {
    const double perSecond = row.median_ms > 0 ? row.n / row.median_ms * 1e-3 : 0;
    output("{:<16} {:<22} {:>10}  {:>9.4f} {:>9.4f} {:>9.4f}  {:>10.1f}  {:<8}  {}\n", row.bench, row.variant, row.n, row.median_ms,
           row.min_ms, row.max_ms, perSecond,
           row.skipped    ? "-"
           : row.verified ? "yes"
                          : "NO",
           row.note);
}

Sizes sizesFor(const Benchmark& benchmark, const gpu::Device& device, const Options& options) {
    if (!options.sizes.empty()) return options.sizes;
    const std::span<const uint32_t> sizes = device.isSoftware() ? benchmark.softwareSizes : benchmark.sizes;
    return {sizes.begin(), sizes.end()};
}

std::vector<BenchRow> runAndPrint(gpu::Device& device, const std::vector<const Benchmark*>& benchmarks, const Options& options) {
    std::vector<BenchRow> rows;
    output("{}\n{:<16} {:<22} {:>10}  {:>9} {:>9} {:>9}  {:>10}  verified\n", device.name(), "bench", "variant", "n", "median ms", "min ms",
           "max ms", "M/s");
    for (const Benchmark* benchmark : benchmarks) {
        for (const BenchRow& row : benchmark->run(device, sizesFor(*benchmark, device, options))) {
            print(row);
            rows.push_back(row);
        }
    }
    return rows;
}

void writeJson(const gpu::Device& device, const std::vector<BenchRow>& rows, const std::string& file) {
    json written = json::array();
    for (const BenchRow& row : rows) written.push_back(toJson(row));
    writeFileAtomically(file, json{{"device", device.name()}, {"machine", machineText()}, {"rows", written}}.dump(2) + "\n");
}

Exit runBench(Context& context, const Options& options) {
    if (options.what.empty()) throw InputError("bench: expected what to time, train or accumulate; --help lists what there is");
    const auto benchmarks = chosen(options);
    for (const std::string& file : {options.json, options.html}) {
        if (!file.empty()) checkWritable(file);
    }
    gpu::Device& device = context.device();
    const std::vector<BenchRow> rows = runAndPrint(device, benchmarks, options);
    if (options.classic) output("\n{}", asText(benchTables(rows).front()));
    if (!options.json.empty()) writeJson(device, rows, options.json);
    if (!options.html.empty())
        writeFileAtomically(options.html, benchPage(rows, {"Machine: " + machineText(), "Device: " + device.name()}));
    const bool verified = std::ranges::all_of(rows, [](const BenchRow& row) { return row.verified || row.skipped; });
    if (!verified) spdlog::error("bench: a result was wrong; its row says NO and has no times");
    return verified ? Exit::done : Exit::failed;
}

std::string whatHelp() {
    std::string text = "Primitives to verify, then time:";
    for (const Benchmark& b : kBenchmarks) text += fmt::format("\n{}: {} [--n {}]", b.name, b.help, fmt::join(b.sizes, ","));
    return text + fmt::format("\n{}: all of these", kAll);
}

Run addBench(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    command.add_option("WHAT", options->what, whatHelp())->type_name("");
    addNumbers(command, "--n", options->sizes, {1u, 1u << 28u},
               fmt::format("Numbers of items [as listed above; on a CPU device {}]", fmt::join(kSoftwareSizes, ",")));
    command.add_flag("--classic", options->classic,
                     fmt::format("With sort: compare classic algorithms on CPU and GPU [--n {}]", fmt::join(kClassicSizes, ",")));
    command.add_option("--json", options->json, "Also write the results to this JSON file")->type_name("FILE");
    command.add_option("--html", options->html, "Also write tables and charts to this HTML file")->type_name("FILE");
    CLI::App* train = command.add_subcommand("train", "Train scenes x presets x seeds; print mean and deviation of their figures");
    CLI::App* accumulate = command.add_subcommand("accumulate", "Verify and time the gradient accumulation methods on trained splats");
    for (CLI::App* own : {train, accumulate}) own->fallthrough();  // global options may stand after it as well
    return
        [options, train, accumulate, runTrain = addBenchTrain(*train), runAccumulate = addBenchAccumulate(*accumulate)](Context& context) {
            if (!train->parsed() && !accumulate->parsed()) return runBench(context, *options);
            const std::string_view name = train->parsed() ? "train" : "accumulate";
            if (!options->what.empty() || !options->sizes.empty() || !options->json.empty() || !options->html.empty() || options->classic ||
                (train->parsed() && accumulate->parsed()))
                throw InputError("bench {}: expected no other benchmark, --n, --json, --html or --classic before it", name);
            return train->parsed() ? runTrain(context) : runAccumulate(context);
        };
}

}  // namespace

extern const Command kBenchCommand{
    .name = "bench",
    .summary = "Verify and time the primitives; compare presets over scenes and seeds",
    .add = addBench,
};

}  // namespace splat::app
