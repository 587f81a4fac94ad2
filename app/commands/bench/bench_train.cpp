#include "commands/bench/bench_train.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/output_folder.h>
#include <splatwright/train/session/folder_lock.h>
#include "commands/bench/run_queue.h"
#include "commands/bench/suite_data.h"
#include "commands/bench/suite_json.h"
#include "commands/bench/suite_tables.h"
#include "commands/output_path.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

struct Options {
    std::string suite, out, compare;
    std::vector<std::string> devices;
    bool keepCheckpoints = false;
};

std::vector<std::string> namesOf(const auto& items) {
    std::vector<std::string> names;
    for (const auto& item : items) names.push_back(item.name);
    return names;
}

/// Index of the preset to compare with.
std::optional<size_t> baseOf(const Suite& suite, const std::string& name) {
    if (name.empty()) return std::nullopt;
    const auto names = namesOf(suite.presets);
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        throw InputError("--compare: found '{}', expected a preset of {}: {}", name, suite.file.string(), fmt::join(names, ", "));
    return static_cast<size_t>(found - names.begin());
}

/// Procedural datasets are written before the first run.
void makeData(const Context& context, const Suite& suite, const fs::path& out, const Interrupt& interrupt) {
    for (const SuiteScene& scene : suite.scenes) {
        std::optional<Progress> progress;
        makeSuiteData(scene, dataPathOf(scene, out), [&](size_t done, size_t total) {
            interrupt.check();
            if (!progress) progress.emplace(std::cerr, context.progressStyle(), scene.name + ": views", total);
            progress->update(done);
        });
        if (progress) progress->finish();
    }
}

QueueOptions queueOptions(const Context& context, const Options& options) {
    QueueOptions queue{
        .devices = options.devices, .global = globalArguments(context.options()), .keepCheckpoints = options.keepCheckpoints};
    if (queue.devices.empty()) queue.devices = {context.options().device};
    return queue;
}

SuiteResults resultsOf(const Suite& suite, const std::vector<SuiteRun>& runs) {
    SuiteResults results(namesOf(suite.scenes), namesOf(suite.presets), suite.seeds);
    for (const SuiteRun& run : runs) {
        if (stateOf(run) == RunState::complete) results.run(run.scene, run.preset, run.seed) = figuresOf(metricsOf(run), run.name);
    }
    return results;
}

void print(const std::vector<ReportTable>& tables) {
    for (const ReportTable& table : tables) output("{}\n", asText(table));
}

void report(const fs::path& out, const std::vector<SuiteRun>& runs, const SuiteResults& results, std::optional<size_t> base) {
    print(resultTables(results));
    if (base) print(comparisonTables(results, *base));
    writeFileAtomically(out / "suite.json", suiteToJson(runs, results, base).dump(2) + "\n");
}

Exit exitOf(const QueueResult& result, const Interrupt& interrupt) {
    if (interrupt.requested()) return interrupt.exit();
    if (result.failures.empty()) return Exit::done;
    for (const std::string& failure : result.failures) spdlog::error("failed: {}", failure);
    return result.onlyValidation ? Exit::validation : Exit::failed;
}

Exit runSuite(Context& context, const Options& options) {
    checkOutputPath(options.out);
    const Interrupt interrupt;
    const Suite suite = readSuite(options.suite);
    const auto base = baseOf(suite, options.compare);
    const auto runs = planSuite(suite, options.out);
    const OutputFolder out(options.out);
    const FolderLock lock(out.path());
    makeData(context, suite, out.path(), interrupt);
    const QueueResult result = trainRuns(runs, queueOptions(context, options), interrupt);
    report(out.path(), runs, resultsOf(suite, runs), base);
    if (interrupt.requested()) output("interrupted: the same command continues\n");
    return exitOf(result, interrupt);
}

}  // namespace

Run addBenchTrain(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    command.add_option("SUITE", options->suite, "JSON file that lists scenes, presets and seeds (tests/bench/README.md)")
        ->required()
        ->type_name("");
    command
        .add_option("-o,--out", options->out, "Folder for suite.json and the runs; complete runs in it are kept, interrupted ones continue")
        ->required()
        ->type_name("OUT");
    command.add_option("--compare", options->compare, "Compare every preset to this one, paired by seed")->type_name("NAME");
    command.add_option("--devices", options->devices, "Devices that train at the same time, one run each [that of --device]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("INDEX|NAME");
    command.add_flag("--keep-checkpoints", options->keepCheckpoints, "Keep the checkpoints of complete runs");
    return [options](Context& context) { return runSuite(context, *options); };
}

}  // namespace splat::app
