#include "commands/dataset_options.h"

#include <CLI/CLI.hpp>

namespace splat::app {

void addDatasetOptions(CLI::App& command, DatasetOptions& options) {
    command
        .add_option_function<std::string>(
            "--images", [&options](const std::string& folder) { options.images = folder; }, "other folder of the same views")
        ->type_name("DIR");
    command
        .add_option_function<std::string>(
            "--dataset",
            [&options](const std::string& name) {
                checkDatasetFormat(name);
                options.format = name;
            },
            "which of its descriptions to read: " + datasetFormatNames() + " [the first that it has]")
        ->type_name("NAME");
    command.add_flag("--allow-outside", options.allowOutside,
                     "read images also where their names lead out of the dataset's folder (symbolic links may always)");
}

}  // namespace splat::app
