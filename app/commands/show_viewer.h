#pragma once

#include <functional>

#include "commands/command.h"
#include "viewer/viewer.h"

namespace splat::app {

/// Opens the viewer, in a window if so wanted, lets the caller put something into it, and returns when it is left; by Ctrl-C, too.
Exit showViewer(Context& context, ViewerOptions options, bool inWindow, const std::function<void(Workspace&)>& setUp);

}  // namespace splat::app
