#include "commands/train/run_plan.h"

#include <splatwright/core/folder_lock.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/session/initialise.h>
#include <splatwright/train/session/resume.h>
#include <splatwright/train/session/run_files.h>
#include <splatwright/train/settings/passes.h>
#include <splatwright/train/watch/growth_report.h>
#include "commands/output_path.h"
#include "commands/standard_output.h"
#include "viewer/files/build_version.h"

namespace splat::app {

namespace {

void checkFolder(const TrainOptions& options) {
    checkOutputPath(options.out);
    FolderLock::refuseIfHeld(options.out);
    const auto found = findRun(options.out);
    if (found && !options.force && !continuesIn(options.out, options.resume))
        throw InputError("{}: contains another run ({}), expected a new folder, or --force to overwrite it", options.out, *found);
}

}  // namespace

SessionOptions RunPlan::session(SessionObserver& observer) const {
    return {.data = options.data,
            .reading = options.reading,
            .dataset = {},
            .settings = settings,
            .folder = options.out,
            .overwrite = options.force,
            .resume = options.resume,
            .evaluateAt = {options.evalAt.begin(), options.evalAt.end()},
            .observer = &observer,
            .version = programVersion(),
            .begin = begin};
}

RunPlan planRun(const TrainOptions& options, uint32_t capture) {
    if (!options.save.empty()) splatWriterOf(options.save);
    RunPlan plan{.options = options, .settings = {}, .resumedStep = {}};
    if (options.resume.empty()) {
        plan.settings = resolveSettings(options.request());
        plan.steps = plan.settings.steps;
        checkInit(plan.settings);
    } else {
        const Checkpoint resumed = readCheckpoint(options.resume);  // the session reads it again once it has memory for it
        plan.resumedStep = resumed.value<uint32_t>("step");
        plan.options.reading.format = resumedFormat(options.reading.format, resumed, "--dataset");
        plan.settings = resumedSettings(options.request(), resumed);
        plan.steps = shortened(plan.settings, {trainingViewsOf(resumed), growthEndIn(resumed.header)}).steps;
    }
    if (options.isPicture() && options.evalAt.empty()) {
        // Shows how a picture emerges: after about 1, 3, 10 and 32 % of all steps.
        for (const double share : {0.01, 0.032, 0.1, 0.32}) {
            const auto step = static_cast<uint32_t>(share * plan.steps);
            if (step > 0) plan.options.evalAt.push_back(step);
        }
    }
    const auto checkStep = [&](const char* option, uint32_t step) {
        if (step < 1 || step > plan.settings.steps)
            throw InputError("{}: found step {}, expected 1 to {} (--steps)", option, step, plan.settings.steps);
    };
    for (const uint32_t step : plan.options.evalAt) checkStep("--eval-at", step);
    if (capture > 0) checkStep("--capture", capture);
    checkFolder(options);
    return plan;
}

void printNothingToDo(const RunPlan& plan) {
    output("{}: all {} steps are done, there is nothing to do; --steps with a larger number goes on\n", printable(plan.options.resume),
           plan.steps);
}

}  // namespace splat::app
