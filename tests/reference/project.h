#pragma once

#include <vector>

#include <glm/glm.hpp>

#include <splatwright/scene/cameras/camera.h>
#include "reference/model.h"

namespace splat::reference {

inline constexpr double kNear = 0.01;           ///< splats closer than this along z are culled, as in gsplat
inline constexpr double kDilation = 0.3;        ///< px², added to the 2D covariance so that no splat is thinner than a pixel (3DGS)
inline constexpr double kMinAlpha = 1.0 / 255;  ///< fainter than one 8-bit step: not blended
inline constexpr double kFrustumMargin = 0.3;   ///< of tan(half field of view): how far outside the image J is still evaluated (gsplat)

/// A splat as the blend sees it. Its alpha at a pixel centre c is opacity * exp(power), where (dx, dy) = mean - c and
/// power = -0.5 * (conic.x * dx² + conic.z * dy²) - conic.y * dx * dy.
struct Projected {
    bool visible = false;  ///< false: culled, and nothing below is meaningful
    glm::dvec2 mean{0};    ///< pixels
    glm::dvec3 conic{0};   ///< (a, b, c) of the inverse covariance [[a, b], [b, c]]
    double opacity = 0;
    glm::dvec3 colour{0};      ///< not below zero, may exceed one
    double depth = 0;          ///< z in the camera's frame
    glm::dvec3 normal{0};      ///< axis of the smallest scale in the camera's frame, towards the camera
    glm::dvec2 halfExtent{0};  ///< half the size of the box outside which alpha < 1/255
};

/// Projects splat i (EWA splatting as in 3DGS, constants and clamps as in gsplat).
Projected project(const Splats& splats, size_t i, const Camera& camera, const Settings& settings);

std::vector<Projected> projectAll(const Splats& splats, const Camera& camera, const Settings& settings);

// The steps of the projection, shared with its derivative.

double sigmoid(double logit);

/// The index of the smallest scale.
int shortestAxis(const glm::dvec3& logScale);

/// Its axis in the camera's frame, on the side of the camera.
glm::dvec3 facingNormal(const Splats& splats, size_t i, const Camera& camera);

/// (x/z, y/z), held within the image widened by kFrustumMargin: the affine approximation of perspective explodes far outside it.
struct ViewRatio {
    glm::dvec2 value{0};
    glm::bvec2 clamped{false};
};
ViewRatio clampedRatio(const glm::dvec3& cameraPoint, const Camera& camera);

/// Derivative of the pixel position with respect to the point in the camera's frame: 2 rows, 3 columns.
glm::dmat3x2 projectionJacobian(const glm::dvec3& cameraPoint, const ViewRatio& ratio, const Camera& camera);

/// J W R S: the ellipsoid's axes on the image, pixels.
glm::dmat3x2 imageAxes(const Splats& splats, size_t i, const glm::dvec3& cameraPoint, const Camera& camera);

/// Covariance in pixels², not yet dilated: A Aᵀ of the axes A.
glm::dmat2 imageCovariance(const Splats& splats, size_t i, const glm::dvec3& cameraPoint, const Camera& camera);

/// det (A Aᵀ + dilation) of axes A as a sum of squares, which for needles keeps the digits that xx yy - xy² loses.
double determinant(const glm::dmat3x2& axes, double dilation);

/// sqrt(det V / det (V + dilation)): what antialiased multiplies the opacity by.
double compensation(const glm::dmat3x2& axes);

/// Rotation matrix of a unit quaternion (w, x, y, z).
glm::dmat3 rotationMatrix(const glm::dvec4& unitQuaternion);

/// 0.5 + sum of sh_k * Y_k(direction), before the clamp at zero.
glm::dvec3 unclampedColour(const Splats& splats, size_t i, const glm::dvec3& direction, const Settings& settings);

/// Number of coefficients in use: those of the smaller of the stored and the active degree.
size_t activeCoefficients(const Splats& splats, const Settings& settings);

}  // namespace splat::reference
