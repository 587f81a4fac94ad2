#include "viewer/panels/panels.h"

#include "viewer/viewer.h"

namespace splat::app {

namespace {

/// While nothing is open there is nothing that they could be about, and the words of an empty start have the window to themselves.
bool withAnything(const Viewer& viewer) { return !viewer.work().isEmpty(); }
bool whileTraining(const Viewer& viewer) { return viewer.work().training != nullptr; }
bool withModels(const Viewer& viewer) { return !viewer.work().world.ids().empty(); }

constexpr Panel kPanels[] = {
    {"Models", Side::left, true, withAnything, drawModelsPanel},
    {"Picture", Side::left, true, withAnything, drawPicturePanel},
    {"Camera", Side::left, true, withAnything, drawCameraPanel},
    {"Select and edit", Side::left, true, withModels, drawEditPanel},
    {"Training", Side::right, true, whileTraining, drawTrainingPanel},
    {"Photographs", Side::right, false, whileTraining, drawViewsPanel},
    {"GPU", Side::right, true, withAnything, drawGpuPanel},
    {"Splats under the pointer", Side::right, true, withAnything, drawProbePanel},
};

}  // namespace

std::span<const Panel> panelTable() { return kPanels; }

}  // namespace splat::app
