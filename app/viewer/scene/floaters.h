#pragma once

#include <cstdint>

namespace splat::app {

class Workspace;

// Select splats of the current model that are probably floaters, to look at and to delete. They replace the selection; all wait for the GPU. Throw
// InputError if no model is selected, or, for what views show, if no dataset is open.

/// Splats whose distance to their eight nearest neighbours is more than so many times the median.
void selectIsolated(Workspace& work, double times);
/// Splats that at most so many views of the dataset show.
void selectRarelySeen(Workspace& work, uint32_t views);

}  // namespace splat::app
