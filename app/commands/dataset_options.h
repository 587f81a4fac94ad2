#pragma once

#include "scene/dataset.h"

namespace CLI {  // NOLINT: CLI11's name
class App;
}

namespace splat::app {

/// Declares the options about how a dataset is read, the same for every command that reads one.
void addDatasetOptions(CLI::App& command, DatasetOptions& options);

}  // namespace splat::app
