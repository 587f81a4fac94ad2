#include <memory>

#include <CLI/CLI.hpp>

#include "commands/commands.h"
#include "commands/resume_line.h"
#include "commands/train_in_viewer.h"
#include "commands/training_run.h"

namespace splat::app {

Run addTrain(CLI::App& command) {
    const auto options = std::make_shared<TrainOptions>();
    addTrainOptions(command, *options);
    return [options, &command](Context& context) {
        options->again = commandLineAgain(command, context.options().program);
        return options->view ? trainInViewer(context, *options) : TrainingRun(context, *options).run();
    };
}

}  // namespace splat::app
