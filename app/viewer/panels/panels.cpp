#include "viewer/panels/panels.h"

#include "viewer/viewer.h"

namespace splat::app {

namespace {

bool always(const Viewer&) { return true; }
bool whileTraining(const Viewer& viewer) { return viewer.work().training != nullptr; }
bool withModels(const Viewer& viewer) { return !viewer.work().world.ids().empty(); }

constexpr Panel kPanels[] = {
    {"Models", Side::left, true, always, drawModelsPanel},
    {"Picture", Side::left, true, always, drawPicturePanel},
    {"Camera", Side::left, true, always, drawCameraPanel},
    {"Select and edit", Side::left, true, withModels, drawEditPanel},
    {"Training", Side::right, true, whileTraining, drawTrainingPanel},
    {"Photographs", Side::right, false, whileTraining, drawViewsPanel},
    {"GPU", Side::right, true, always, drawGpuPanel},
    {"Splats under the pointer", Side::right, true, always, drawProbePanel},
};

}  // namespace

std::span<const Panel> panelTable() { return kPanels; }

}  // namespace splat::app
