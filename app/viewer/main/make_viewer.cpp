#include "viewer/main/make_viewer.h"

#include <functional>
#include <memory>
#include <utility>

#include "viewer/actions/actions.h"
#include "viewer/panels/layout.h"
#include "viewer/panels/panels.h"
#include "viewer/script/script_run.h"

namespace splat::app {

namespace {

OpenPanels initiallyOpen() {
    OpenPanels panels;
    for (const Panel* panel : panelTable()) panels[panel->title] = panel->open;
    return panels;
}

}  // namespace

std::unique_ptr<Viewer> makeViewer(gpu::Device& device, const primitives::RadixSort& sort, Display* display, const ViewerStart& start) {
    ViewerHooks hooks{.panels = initiallyOpen(),
                      .drawPanels = drawLayout,
                      .fitsStatus = fitsStatus,
                      .act = runAction,
                      .actionOf = actionNameOf,
                      .advance = nullptr,
                      .leaveWhen = start.leaveWhen,
                      .keep = start.keep};
    if (!start.script.empty())
        hooks.advance = std::bind_front(&ScriptRun::advance, std::make_shared<ScriptRun>(start.scriptName, start.script));
    return std::make_unique<Viewer>(device, sort, display, start.options, std::move(hooks));
}

}  // namespace splat::app
