#pragma once

#include <span>

#include "scene/gaussians.h"
#include "scene/placement.h"

namespace splat {

/// Where most of a model is.
struct Extent {
    glm::dvec3 centre{0};
    double radius = 1;
};

/// The mean of the positions weighted by opacity, and the distance within which half of the opacity lies: stray splats do not move it.
/// {0, 1} where there is nothing.
Extent extentOf(const Gaussians& gaussians);

/// Of the model as it is placed.
Extent transformed(const Extent& extent, const Placement& placement);

/// A ball around all of them; {0, 1} of none.
Extent extentAround(std::span<const Extent> extents);

}  // namespace splat
