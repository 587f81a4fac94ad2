#pragma once

#include <functional>
#include <optional>

#include "commands/command.h"
#include "viewer/main/make_viewer.h"
#include "viewer/remote/web_server.h"

namespace splat::app {

/// Where the viewer is seen.
struct ViewerPlace {
    bool window = true;
    std::optional<WebAddress> web;  ///< without a window: served to browsers there
};

/// Opens the viewer, lets the caller add contents, and returns when it is closed or interrupted.
Exit showViewer(Context& context, ViewerStart start, const ViewerPlace& place, const std::function<void(Workspace&)>& setUp);

}  // namespace splat::app
