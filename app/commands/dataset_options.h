#pragma once

#include <splatwright/scene/datasets/dataset.h>

namespace CLI {  // NOLINT: CLI11's name
class App;
}

namespace splat::app {

/// Declares the options for reading a dataset, for all commands that read one.
void addDatasetOptions(CLI::App& command, DatasetOptions& options);

}  // namespace splat::app
