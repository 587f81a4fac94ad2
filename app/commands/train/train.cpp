#include <memory>

#include <CLI/CLI.hpp>

#include "commands/command.h"
#include "commands/train/resume_line.h"
#include "commands/train/train_in_viewer.h"
#include "commands/train/training_run.h"

namespace splat::app {

namespace {

Run addTrain(CLI::App& command) {
    const auto options = std::make_shared<TrainOptions>();
    addTrainOptions(command, *options);
    return [options, &command](Context& context) {
        options->again = commandLineAgain(command, context.options().program);
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
