#pragma once

#include <vector>

#include "scene/camera.h"
#include "shared/structs.h"
#include "view/world.h"

namespace splat {

/// The camera as it sees a model from that model's own frame. Its rows have the length of the placement's scale, so that depths are the world's and
/// sizes on the image come out right; without a placement it is viewParameters(camera) to the bit.
shared::ViewParameters viewParameters(const Camera& camera, const Placement& placement);

/// A row for every id of the world, those of no model invisible; at least one.
std::vector<shared::ModelView> modelViews(const World& world, const Camera& camera);

}  // namespace splat
