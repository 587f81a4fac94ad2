#include "commands/bench/bench_train.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <splatwright/core/names.h>
#include <splatwright/core/output_folder.h>
#include <splatwright/train/session/folder_lock.h>
#include "commands/bench/run_queue.h"
#include "commands/bench/suite_data.h"
#include "commands/bench/suite_report.h"
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

void checkDevices(const std::vector<std::string>& devices) {
    for (auto device = devices.begin(); device != devices.end(); ++device) {
        if (std::find(devices.begin(), device, *device) != device)
            throw InputError("--devices: found '{}' twice, expected each device once", *device);
    }
}

QueueOptions queueOptions(const Context& context, const Options& options) {
    QueueOptions queue{
        .devices = options.devices, .global = globalArguments(context.options()), .keepCheckpoints = options.keepCheckpoints};
    if (queue.devices.empty()) queue.devices = {context.options().device};
    return queue;
}

Exit exitOf(const QueueResult& result) {
    if (result.failures.empty()) return Exit::done;
    for (const std::string& failure : result.failures) spdlog::error("failed: {}", failure);
    return result.onlyValidation ? Exit::validation : Exit::failed;
}

/// Writes the results of all complete runs; the page only if nothing is left to do.
Exit report(Context& context, const SuiteReport& results, const QueueOptions& queue, const Interrupt& interrupt) {
    printAndWrite(results);
    if (interrupt.requested()) {
        output("interrupted: the same command continues\n");
        return interrupt.exit();
    }
    context.prepareDevice([&](gpu::DeviceOptions& device) { device.device = queue.devices.front(); });
    writePage(context, results);
    return Exit::done;
}

Exit runSuite(Context& context, const Options& options) {
    checkOutputPath(options.out);
    checkDevices(options.devices);
    const Interrupt interrupt;
    const Suite suite = readSuite(options.suite);
    const auto base = baseOf(suite, options.compare);
    const auto runs = planSuite(suite, options.out);
    const OutputFolder out(options.out);
    const FolderLock lock(out.path());
    makeData(context, suite, out.path(), interrupt);
    const QueueOptions queue = queueOptions(context, options);
    const QueueResult result = trainRuns(runs, queue, interrupt);
    const Exit exit = report(context, {suite, runs, resultsOf(suite, runs), base, out.path()}, queue, interrupt);
    return exit == Exit::done ? exitOf(result) : exit;
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
