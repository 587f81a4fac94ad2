#pragma once

#include <filesystem>

namespace splat::app {

class Viewer;

/// Writes what a script may want to know: models, view, picture, probe and costs.
void writeStateReport(Viewer& viewer, const std::filesystem::path& path);

}  // namespace splat::app
