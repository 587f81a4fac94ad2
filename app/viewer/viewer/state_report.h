#pragma once

#include <filesystem>

namespace splat::app {

class Viewer;

/// The viewer's state for scripts: models, camera, picture, probe and costs.
void writeStateReport(Viewer& viewer, const std::filesystem::path& path);

}  // namespace splat::app
