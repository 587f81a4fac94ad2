#pragma once

#include <span>

#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/gaussians/model_transform.h>

namespace splat {

/// Centre and radius of most of a model.
struct Extent {
    glm::dvec3 centre{0};
    double radius = 1;
};

/// The opacity-weighted mean position, and the radius that contains half of the opacity, which is robust against outliers. {0, 1} for an empty
/// model.
Extent extentOf(const Gaussians& gaussians);

/// Extent of the transformed model.
Extent transformed(const Extent& extent, const ModelTransform& transform);

/// A sphere around all of them; {0, 1} if there are none.
Extent extentAround(std::span<const Extent> extents);

}  // namespace splat
