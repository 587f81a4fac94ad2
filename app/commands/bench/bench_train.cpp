#include "commands/bench/bench_train.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <splatwright/core/folder_lock.h>
#include <splatwright/core/names.h>
#include <splatwright/core/output_folder.h>
#include "commands/bench/run_queue.h"
#include "commands/bench/suite_builds.h"
#include "commands/bench/suite_data.h"
#include "commands/bench/suite_report.h"
#include "commands/options.h"
#include "commands/output_path.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

struct Options {
    std::string suite, out, compare;
    std::vector<std::string> devices, scenes, presets;
    std::vector<uint32_t> seeds;
    std::vector<std::string> merge;
    bool keepCheckpoints = false, force = false, leaveOneOut = false;
};

/// Keeps the items of these names, in the suite's order; all without names.
template <class Item>
void keepOnly(std::vector<Item>& items, const std::vector<std::string>& names, const char* option) {
    const auto known = namesOf(items);
    for (const std::string& name : names) {
        if (std::ranges::find(known, name) == known.end())
            throw InputError("{}: found '{}', expected names of the suite: {}", option, name, fmt::join(known, ", "));
    }
    if (!names.empty()) std::erase_if(items, [&](const Item& item) { return std::ranges::find(names, item.name) == names.end(); });
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

template <class Value>
void checkDistinct(const std::vector<Value>& values, const char* option) {
    for (auto value = values.begin(); value != values.end(); ++value) {
        if (std::find(values.begin(), value, *value) != value) throw InputError("{}: found '{}' twice, expected it once", option, *value);
    }
}

/// Writes the results of all complete runs; the page only if nothing is left to do.
Exit report(Context& context, const SuiteReport& results, const QueueOptions& queue, const Interrupt& interrupt) {
    const auto mixed = mixedBuilds(results.runs, results.merged, false);
    if (mixed && !interrupt.requested()) throw InputError("{}", *mixed);
    if (!mixed) printAndWrite(results);
    if (interrupt.requested()) {
        output("interrupted: the same command continues\n");
        return interrupt.exit();
    }
    context.prepareDevice([&](gpu::DeviceOptions& device) { device.device = queue.devices.front(); });
    writePage(context, results);
    return Exit::done;
}

/// Before anything is trained that could not stand in one table with what there is.
void checkBuilds(const std::vector<SuiteRun>& runs, const std::vector<MergedRun>& merged) {
    const bool willTrain = std::ranges::any_of(runs, [](const SuiteRun& run) { return stateOf(run) != RunState::complete; });
    if (const auto mixed = mixedBuilds(runs, merged, willTrain)) throw InputError("{}", *mixed);
}

/// Choosing needs several scenes, and a preset to be better than.
void checkLeaveOneOut(const Options& options, const Suite& suite) {
    if (!options.leaveOneOut) return;
    if (options.compare.empty()) throw InputError("--leave-one-out: expected --compare NAME, the preset that others are to be better than");
    if (suite.scenes.size() < 2) throw InputError("--leave-one-out: found one scene, expected at least two");
}

SuiteResults resultsOf(const Suite& suite, const std::vector<SuiteRun>& runs, const std::vector<MergedRun>& merged) {
    SuiteResults results(namesOf(suite.scenes), namesOf(suite.presets), suite.seeds);
    for (const MergedRun& found : merged) results.run(found.run.scene, found.run.preset, found.run.seed) = found.figures;
    for (const SuiteRun& run : runs) {
        if (stateOf(run) == RunState::complete) results.run(run.scene, run.preset, run.seed) = figuresOf(metricsOf(run), run.name);
    }
    return results;
}

Exit runSuite(Context& context, const Options& options) {
    checkOutputPath(options.out);
    checkDistinct(options.devices, "--devices");
    checkDistinct(options.seeds, "--seeds");
    const Interrupt interrupt;
    Suite suite = readSuite(options.suite);
    keepOnly(suite.scenes, options.scenes, "--scenes");
    keepOnly(suite.presets, options.presets, "--presets");
    if (!options.seeds.empty()) suite.seeds = options.seeds;
    const auto base = baseOf(suite, options.compare);
    checkLeaveOneOut(options, suite);
    auto runs = planSuite(suite, options.out);
    const auto merged = takeMerged(runs, options.merge);
    const OutputFolder out(options.out);
    const FolderLock lock(out.path());
    makeData(context, suite, out.path(), interrupt);
    if (!options.force) checkBuilds(runs, merged);
    const std::vector<std::string> usual{context.options().device};
    const QueueOptions queue{.devices = options.devices.empty() ? usual : options.devices,
                             .global = globalArguments(context.options()),
                             .keepCheckpoints = options.keepCheckpoints,
                             .force = options.force};
    const QueueResult result = trainRuns(runs, queue, interrupt);
    const SuiteReport all{suite, runs, merged, resultsOf(suite, runs, merged), base, options.leaveOneOut, out.path()};
    const Exit exit = report(context, all, queue, interrupt);
    if (exit != Exit::done || result.failures.empty()) return exit;
    for (const std::string& failure : result.failures) spdlog::error("failed: {}", failure);
    return result.onlyValidation ? Exit::validation : Exit::failed;
}

/// "a,b"; repeating the option adds more.
CLI::Option* addNames(CLI::App& command, const char* name, std::vector<std::string>& values, const char* help) {
    return command.add_option(name, values, help)->delimiter(',')->allow_extra_args(false)->default_str("")->type_name("NAME");
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
    command.add_flag("--leave-one-out", options->leaveOneOut,
                     "For each scene, choose the preset that is best on the others, and compare it on this one; needs --compare");
    command.add_option("--merge", options->merge, "suite.json of another call, whose runs are not trained again; repeatable")
        ->allow_extra_args(false)
        ->type_name("FILE");
    addNames(command, "--devices", options->devices, "Devices that train at the same time, one run each [that of --device]")
        ->type_name("INDEX|NAME");
    addNames(command, "--scenes", options->scenes, "Only these scenes of the suite, separated by commas");
    addNames(command, "--presets", options->presets, "Only these presets of the suite, separated by commas");
    addNumbers(command, "--seeds", options->seeds, {0u, UINT32_MAX}, "Seeds instead of the suite's");
    command.add_flag("--force", options->force, "Train all runs again, for example after a change of the program");
    command.add_flag("--keep-checkpoints", options->keepCheckpoints, "Keep the checkpoints of complete runs");
    return [options](Context& context) { return runSuite(context, *options); };
}

}  // namespace splat::app
