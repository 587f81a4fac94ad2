#include "commands/dataset_options.h"

#include <CLI/CLI.hpp>

namespace splat::app {

void addDatasetOptions(CLI::App& command, DatasetOptions& options) {
    command
        .add_option_function<std::string>(
            "--images", [&options](const std::string& folder) { options.images = folder; }, "Alternative image folder for the same views")
        ->type_name("DIR");
    command
        .add_option_function<std::string>(
            "--dataset",
            [&options](const std::string& name) {
                checkDatasetFormat(name);
                options.format = name;
            },
            "Format to read if the dataset has several: " + datasetFormatNames() + " [the first found]")
        ->type_name("NAME");
    command.add_flag("--allow-outside", options.allowOutside,
                     "Allow image paths outside the dataset's folder (symbolic links are always allowed)");
}

}  // namespace splat::app
