#include <memory>

#include <CLI/CLI.hpp>

#include <splatwright/core/log.h>
#include <splatwright/core/platform/process.h>
#include "commands/command.h"
#include "commands/prepare_run.h"
#include "commands/train/resume_line.h"
#include "commands/train/run_plan.h"
#include "commands/train/train_in_viewer.h"
#include "commands/train/training_run.h"

namespace splat::app {

namespace {

/// Makes OUT/dataset of photographs or a video, which is the data from then on. Data with camera poses stays as it is.
void prepareData(Context& context, TrainOptions& options) {
    planRun(options, context.options().capture);  // reports mistakes before the long work
    if (isDataset(options.data)) return spdlog::info("{}: has camera poses, so there is nothing to prepare", options.data);
    const prepare::Settings settings{.input = options.data, .out = std::filesystem::path(options.out) / "dataset", .force = options.force};
    runPreparation(context, settings, Interrupt());
    options.data = settings.out.string();
}

Run addTrain(CLI::App& command) {
    const auto options = std::make_shared<TrainOptions>();
    addTrainOptions(command, *options);
    return [options, &command](Context& context) {
        if (options->childOf > 0) platform::endWithParent(options->childOf);
        options->again = commandLineAgain(command, context.options().program);
        if (options->prepare) prepareData(context, *options);
        return options->view ? trainInViewer(context, *options) : TrainingRun(context, *options).run();
    };
}

}  // namespace

extern const Command kTrainCommand{
    .name = "train",
    .summary = "Train splats on a dataset",
    .captures = true,
    .add = addTrain,
};

}  // namespace splat::app
