#pragma once

#include <functional>

#include "commands/command.h"
#include "viewer/main/make_viewer.h"

namespace splat::app {

/// Opens the viewer, with a window if wanted, lets the caller add contents, and returns when it is closed or interrupted.
Exit showViewer(Context& context, ViewerStart start, bool inWindow, const std::function<void(Workspace&)>& setUp);

}  // namespace splat::app
