#include "viewer/panels/panels.h"

#include <splatwright/core/table.h>
#include "viewer/viewer/viewer.h"

namespace splat::app {

SPLAT_TABLE(Panel, kPanels, kModelsPanel, kPicturePanel, kCameraPanel, kEditPanel, kPreparationPanel, kTrainingPanel, kViewsPanel,
            kGpuPanel, kProbePanel);

std::span<const Panel* const> panelTable() { return kPanels; }

bool withAnything(const Viewer& viewer) { return !viewer.work().isEmpty(); }

}  // namespace splat::app
