#include "commands/run_plan.h"

#include "commands/folder_lock.h"
#include "commands/output_folder.h"
#include "commands/run_files.h"
#include "commands/standard_output.h"
#include "commands/train_settings.h"
#include "core/names.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

void checkSteps(const RunPlan& plan, uint32_t capture) {
    const auto check = [&](const char* option, uint32_t step) {
        if (step < 1 || step > plan.settings.steps)
            throw InputError("{}: found step {}, expected 1 to {} (--steps)", option, step, plan.settings.steps);
    };
    for (const uint32_t step : plan.options.evalAt) check("--eval-at", step);
    if (capture > 0) check("--capture", capture);
}

/// A run goes on with the description that it has read so far: the names and order of views in another one may differ.
void takeDatasetFormat(RunPlan& plan) {
    const std::string before = datasetFormatOf(*plan.resumed);
    std::string& format = plan.options.reading.format;
    if (format.empty()) format = before;
    if (!before.empty() && format != before)
        throw InputError("--dataset: found {}, expected {}, as in {}", format, before, plan.options.resume);
}

}  // namespace

bool RunPlan::goesOnInPlace() const {
    std::error_code ignored;
    return !options.resume.empty() && fs::equivalent(fs::absolute(options.resume).parent_path(), options.out, ignored);
}

RunPlan planRun(const TrainOptions& options, uint32_t capture) {
    RunPlan plan{.options = options, .settings = {}, .resumed = {}, .earlier = {}, .evaluations = {}};
    if (!options.resume.empty()) {
        plan.resumed = readCheckpoint(options.resume);
        plan.earlier = historyOf(*plan.resumed);
        takeDatasetFormat(plan);
    }
    plan.settings = plan.resumed ? resumedSettings(options, *plan.resumed) : resolveSettings(options);
    checkSteps(plan, capture);
    plan.evaluations.insert(options.evalAt.begin(), options.evalAt.end());
    plan.evaluations.insert(plan.settings.steps);
    FolderLock::refuseIfHeld(options.out);
    checkFolder(plan);
    return plan;
}

void checkFolder(const RunPlan& plan) {
    if (!plan.options.force && !plan.goesOnInPlace()) refuseToOverwrite(plan.options.out, kRunFiles);
}

void printNothingToDo(const RunPlan& plan) {
    output("{}: all {} steps are done, there is nothing to do; --steps with a larger number goes on\n", printable(plan.options.resume),
           plan.settings.steps);
}

}  // namespace splat::app
