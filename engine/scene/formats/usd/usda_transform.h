#pragma once

#include <string>

#include <glm/glm.hpp>

#include <splatwright/scene/formats/usd/usda_document.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// A prim's own transform, from its space to that of the prim around it, for column vectors (openusd.org, UsdGeomXformable). Of transforms that move,
/// the first sample. Throws InputError.
struct UsdaTransform {
    glm::dmat4 matrix{1};
    bool resets = false;  ///< ignores the prims around it
};
UsdaTransform transformOf(const UsdaText& text, const UsdaPrim& prim);

/// Returns the splats moved by a matrix, which may mirror them. Throws InputError, starting with `what`, like transformed().
Gaussians placed(Gaussians gaussians, const glm::dmat4& matrix, const std::string& what);

}  // namespace splat
