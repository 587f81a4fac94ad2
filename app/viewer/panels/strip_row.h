#pragma once

namespace splat::app {

class Viewer;

/// The worst view of the training at steps along it, beside its image; a click looks through it. Nothing before the first pictures.
void drawWorstView(Viewer& viewer);

}  // namespace splat::app
