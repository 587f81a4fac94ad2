#include "viewer/viewer/remembering.h"

#include <utility>

#include <splatwright/core/log.h>
#include <splatwright/view/render_modes.h>
#include "viewer/viewer/viewer.h"
#include "viewer/window/style.h"
#include "viewer/window/window.h"

namespace splat::app {

namespace {

Remembered remembered(Viewer& viewer, const WindowPlace& window) {
    const Workspace& work = viewer.work();
    return {.layout = viewer.ui().layout(),
            .scale = points(1),
            .panels = {viewer.openPanels().begin(), viewer.openPanels().end()},
            .window = window,
            .renderMode = work.picture.picture,
            .tool = std::string(nameOf(work.selecting.tool)),
            .brush = work.selecting.brushRadius / points(1),
            .allModels = work.selecting.allModels,
            .fly = work.navigator.mode() == Navigator::Mode::fly,
            .legend = work.showsLegend,
            .openFolder = work.dialog.openFolder,
            .saveFolder = work.dialog.saveFolder};
}

}  // namespace

void recall(Viewer& viewer, const Remembered& last) {
    const std::string_view mode = renderModeByName(last.renderMode).name;
    const Tool tool = toolByName(last.tool);
    if (!last.layout.empty()) viewer.ui().setLayout(last.layout, last.scale);
    Workspace& work = viewer.work();
    work.showMode(mode);
    work.selecting.tool = tool;
    work.selecting.brushRadius = points(last.brush);
    work.selecting.allModels = last.allModels;
    work.navigator.setMode(last.fly ? Navigator::Mode::fly : Navigator::Mode::orbit);
    work.showsLegend = last.legend;
    work.dialog.openFolder = last.openFolder;
    work.dialog.saveFolder = last.saveFolder;
    for (auto& [title, open] : viewer.openPanels())
        if (const auto found = last.panels.find(title); found != last.panels.end()) open = found->second;
}

Remembering::Remembering(std::filesystem::path file, const Window& window, Remembered kept)
    : file_(std::move(file)), window_(window), kept_(std::move(kept)) {}

void Remembering::update(Viewer& viewer) {
    Remembered now = remembered(viewer, window_.place());
    if (now == kept_) return;
    kept_ = std::move(now);
    try {
        writeRemembered(file_, kept_);
    } catch (const std::exception& problem) {
        spdlog::debug("layout: {}", problem.what());
    }
}

}  // namespace splat::app
