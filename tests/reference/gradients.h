#pragma once

#include <span>
#include <vector>

#include <splatwright/core/image.h>
#include "reference/render.h"

namespace splat::reference {

/// Derivative of a loss with respect to what the blend reads of one splat. The three conic numbers count as independent,
/// exactly as they stand in Projected: conic.y is the derivative with respect to the b in "- b * dx * dy".
struct ProjectedGradient {
    glm::dvec2 mean{0};
    glm::dvec3 conic{0};
    double opacity = 0;
    glm::dvec3 colour{0};
    double inverseDepth = 0;  ///< of 1 / depth
    glm::dvec3 normal{0};
};

/// For a camera moved by a small twist from the left: p' = p + cross(rotation, p) + translation for a point p in the camera's frame.
struct CameraGradient {
    glm::dvec3 rotation{0};
    glm::dvec3 translation{0};
};

/// Derivative of a loss with respect to the picture, the input of the backward pass.
struct PictureGradient {
    Image<double> colour;          ///< 3 channels
    Image<double> transmittance;   ///< 1 channel; left empty: zero
    Image<double> inverseDepth{};  ///< 1 channel; left empty: zero
    Image<double> normal{};        ///< 3 channels; left empty: zero
};

struct BlendGradients {
    std::vector<ProjectedGradient> projected;
    glm::dvec3 background{0};
};

struct ProjectionGradients {
    Splats splats;
    CameraGradient camera;
};

struct Gradients {
    Splats splats;
    std::vector<ProjectedGradient> projected;
    glm::dvec3 background{0};
    CameraGradient camera;
};

/// Reverse mode of render, by hand. Clamps that hold (alpha at 0.99, colour at 0, the ratio x/z in the Jacobian) pass no gradient;
/// cuts, culling and order count as constant; culled splats and inactive SH coefficients get zero.
Gradients backward(const Splats& splats, const Camera& camera, const Settings& settings, const PictureGradient& picture);

/// The two halves of backward.
BlendGradients blendBackward(std::span<const Projected> projected, const Settings& settings, const PictureGradient& picture);
ProjectionGradients projectBackward(const Splats& splats, const Camera& camera, const Settings& settings,
                                    std::span<const ProjectedGradient> projected);

}  // namespace splat::reference
