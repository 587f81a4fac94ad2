#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "viewer/script/script.h"
#include "viewer/viewer/viewer.h"

namespace splat::app {

struct ViewerStart {
    ViewerOptions options;
    std::vector<ScriptLine> script;  ///< that drives it; empty: none
    std::string scriptName;          ///< for messages
    std::function<bool()> leaveWhen = [] { return false; };
    std::function<void(Viewer&)> keep;  ///< as in ViewerHooks
};

/// The viewer with all its panels and actions. display: null to draw without one, as scripts may.
std::unique_ptr<Viewer> makeViewer(gpu::Device& device, const primitives::RadixSort& sort, Display* display, const ViewerStart& start);

}  // namespace splat::app
