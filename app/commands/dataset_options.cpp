#include "commands/dataset_options.h"

#include "commands/options.h"

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
    addReal(command, "--undistort-blank-pixels", options.undistort.blankPixels, {0, 1},
            "Border of undistorted photographs: 0 crops them to pixels that have a source, 1 keeps all of the photograph; blank pixels are "
            "masked")
        ->default_str("0");
    addReal(command, "--undistort-max-scale", options.undistort.maxScale, {UndistortOptions::kMinScale, UndistortOptions::kMostMaxScale},
            "Largest side of undistorted photographs, relative to the photograph's")
        ->default_str("2");
}

}  // namespace splat::app
