#include "viewer/panels/panels.h"

#include "viewer/viewer/viewer.h"

namespace splat::app {

namespace {

/// While nothing is open, panels have no contents and the welcome text is shown alone.
bool withAnything(const Viewer& viewer) { return !viewer.work().isEmpty(); }
bool whileTraining(const Viewer& viewer) { return viewer.work().training != nullptr; }

constexpr Panel kPanels[] = {
    {"Models", Side::left, true, withAnything, drawModelsPanel},
    {"Render", Side::left, true, withAnything, drawPicturePanel},
    {"Camera", Side::left, true, withAnything, drawCameraPanel},
    {"Selection", Side::left, true, [](const Viewer& viewer) { return !viewer.work().world.ids().empty(); }, drawEditPanel},
    {"Preparation", Side::right, true, [](const Viewer& viewer) { return viewer.work().preparing != nullptr; }, drawPreparationPanel},
    {"Training", Side::right, true, whileTraining, drawTrainingPanel},
    {"Training images", Side::right, false, whileTraining, drawViewsPanel},
    {"GPU", Side::right, true, withAnything, drawGpuPanel},
    {"Splats at a pixel", Side::right, true, withAnything, drawProbePanel},
};

}  // namespace

std::span<const Panel> panelTable() { return kPanels; }

}  // namespace splat::app
