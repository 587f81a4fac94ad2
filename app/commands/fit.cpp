#include <memory>

#include <CLI/CLI.hpp>

#include "commands/command.h"
#include "commands/train/resume_line.h"
#include "commands/train/train_in_viewer.h"
#include "commands/train/training_run.h"

namespace splat::app {

namespace {

Run addFit(CLI::App& command) {
    const auto options = std::make_shared<TrainOptions>();
    addFitOptions(command, *options);
    return [options, &command](Context& context) {
        options->again = commandLineAgain(command, context.options().program);
        return options->view ? trainInViewer(context, *options) : TrainingRun(context, *options).run();
    };
}

}  // namespace

extern const Command kFitCommand{
    .name = "fit",
    .summary = "Fit 2D splats to a picture",
    .captures = true,
    .add = addFit,
};

}  // namespace splat::app
