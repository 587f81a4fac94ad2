#include <utility>

#include "reference/gradients.h"
#include "reference/sh.h"

// Matrices here follow one rule: the gradient G of a symmetric matrix S is the full symmetric matrix with dL = sum_ij G_ij dS_ij.
// Then S = A X Aᵀ gives dL/dX = Aᵀ G A and, for symmetric X, dL/dA = 2 G A X.

namespace splat::reference {
namespace {

/// Derivative of v / |v|, transposed and applied to the gradient of the unit vector.
template <class Vector>
Vector normalizeGradient(const Vector& v, const Vector& dUnit) {
    const double length = glm::length(v);
    const Vector unit = v / length;
    return (dUnit - unit * glm::dot(unit, dUnit)) / length;
}

/// Gradient of the 2D covariance from that of its inverse: V = Q⁻¹, dL/dV = -Q G Q. The single parameter b stands twice in Q, so each
/// off-diagonal entry of G gets half of its gradient.
glm::dmat2 covarianceGradient(const glm::dvec3& conic, const glm::dvec3& dConic) {
    const glm::dmat2 q(conic.x, conic.y, conic.y, conic.z);
    const glm::dmat2 g(dConic.x, 0.5 * dConic.y, 0.5 * dConic.y, dConic.z);
    return -(q * g * q);
}

/// Inverse of A Aᵀ + dilation.
glm::dmat2 inverseCovariance(const glm::dmat3x2& axes, double dilation) {
    const glm::dmat2 v = axes * glm::transpose(axes) + glm::dmat2(dilation);
    return glm::dmat2(v[1][1], -v[0][1], -v[1][0], v[0][0]) / determinant(axes, dilation);
}

/// Derivative of the compensation c by the covariance V without dilation: d ln c = tr((V⁻¹ - (V + dilation)⁻¹) dV) / 2.
glm::dmat2 compensationGradient(const glm::dmat3x2& axes) {
    return 0.5 * compensation(axes) * (inverseCovariance(axes, 0) - inverseCovariance(axes, kDilation));
}

/// Gradient of the quaternion (w, x, y, z) from that of the rotation matrix; g(row, column) = dL/dR.
glm::dvec4 quaternionGradient(const glm::dvec4& unit, const glm::dmat3& dRotation) {
    const double w = unit.x, x = unit.y, y = unit.z, z = unit.w;
    const auto g = [&](int row, int column) { return dRotation[column][row]; };
    return 2.0 * glm::dvec4(x * (g(2, 1) - g(1, 2)) + y * (g(0, 2) - g(2, 0)) + z * (g(1, 0) - g(0, 1)),
                            w * (g(2, 1) - g(1, 2)) + y * (g(0, 1) + g(1, 0)) + z * (g(0, 2) + g(2, 0)) - 2 * x * (g(1, 1) + g(2, 2)),
                            w * (g(0, 2) - g(2, 0)) + x * (g(0, 1) + g(1, 0)) + z * (g(1, 2) + g(2, 1)) - 2 * y * (g(0, 0) + g(2, 2)),
                            w * (g(1, 0) - g(0, 1)) + x * (g(0, 2) + g(2, 0)) + y * (g(1, 2) + g(2, 1)) - 2 * z * (g(0, 0) + g(1, 1)));
}

/// Gradient of the point in the camera's frame, through the pixel position and through the Jacobian of the covariance.
glm::dvec3 cameraPointGradient(const glm::dvec3& p, const Camera& camera, const glm::dvec2& dMean, const glm::dmat3x2& dJacobian) {
    const ViewRatio ratio = clampedRatio(p, camera);
    const glm::dvec2 f = glm::dvec2(camera.fx, camera.fy) / p.z;
    const glm::dvec2 trueRatio = glm::dvec2(p) / p.z;
    glm::dvec3 d(f * dMean, -glm::dot(f * trueRatio, dMean));
    // J_kk = f / z and J_k2 = -f r / z, where a clamped r is constant and a free one is p_k / z.
    for (int k = 0; k < 2; ++k) {
        d.z -= dJacobian[k][k] * f[k] / p.z;
        d.z += dJacobian[2][k] * f[k] * ratio.value[k] / p.z;
        if (ratio.clamped[k]) continue;
        d[k] -= dJacobian[2][k] * f[k] / p.z;
        d.z += dJacobian[2][k] * f[k] * ratio.value[k] / p.z;
    }
    return d;
}

/// Axis components of a matrix gradient along the generators of rotation: sum_ij G_ij [w]x_ij = dot(w, result).
glm::dvec3 crossGradient(const glm::dmat3& g) { return {g[1][2] - g[2][1], g[2][0] - g[0][2], g[0][1] - g[1][0]}; }

void addShapeGradient(Splats& out, const Splats& splats, size_t i, const glm::dmat3& dCovariance) {
    const glm::dvec4 unit = glm::normalize(splats.rotations[i]);
    const glm::dmat3 r = rotationMatrix(unit);
    const glm::dvec3 s = glm::exp(splats.logScales[i]);
    const glm::dmat3 m(r[0] * s.x, r[1] * s.y, r[2] * s.z);
    const glm::dmat3 dM = 2.0 * dCovariance * m;
    for (int k = 0; k < 3; ++k) out.logScales[i][k] += glm::dot(dM[k], m[k]);
    const glm::dmat3 dR(dM[0] * s.x, dM[1] * s.y, dM[2] * s.z);
    out.rotations[i] += normalizeGradient(splats.rotations[i], quaternionGradient(unit, dR));
}

void addNormalGradient(Splats& out, const Splats& splats, size_t i, const Camera& camera, const glm::dvec3& dNormal) {
    const glm::dvec4 unit = glm::normalize(splats.rotations[i]);
    const int axis = shortestAxis(splats.logScales[i]);
    const double side = glm::dot(camera.rotation * rotationMatrix(unit)[axis], facingNormal(splats, i, camera));
    glm::dmat3 dR(0);
    dR[axis] = side * glm::transpose(camera.rotation) * dNormal;
    out.rotations[i] += normalizeGradient(splats.rotations[i], quaternionGradient(unit, dR));
}

/// Colour to coefficients and viewing direction; returns the gradient of mean - camera position.
glm::dvec3 addColourGradient(Splats& out, const Splats& splats, size_t i, const glm::dvec3& offset, const Settings& settings,
                             glm::dvec3 dColour) {
    const glm::dvec3 direction = glm::normalize(offset);
    const glm::dvec3 colour = unclampedColour(splats, i, direction, settings);
    for (int k = 0; k < 3; ++k)
        if (colour[k] <= 0) dColour[k] = 0;

    const auto basis = shBasis(direction);
    const auto basisGradient = shBasisGradient(direction);
    const size_t first = i * shCoefficients(splats.shDegree);
    glm::dvec3 dDirection(0);
    for (size_t k = 0; k < activeCoefficients(splats, settings); ++k) {
        out.sh[first + k] += basis[k] * dColour;
        dDirection += basisGradient[k] * glm::dot(splats.sh[first + k], dColour);
    }
    return normalizeGradient(offset, dDirection);
}

void addSplat(ProjectionGradients& out, const Splats& splats, size_t i, const Camera& camera, const Settings& settings,
              const ProjectedGradient& gradient) {
    const Projected p = project(splats, i, camera, settings);
    if (!p.visible) return;
    const glm::dmat3 w = camera.rotation;
    const glm::dvec3 point = w * splats.means[i] + camera.translation;
    const glm::dvec3 s = glm::exp(splats.logScales[i]);
    const glm::dmat3 r = rotationMatrix(glm::normalize(splats.rotations[i]));
    const glm::dmat3 wm = w * glm::dmat3(r[0] * s.x, r[1] * s.y, r[2] * s.z);
    const glm::dmat3 cameraCovariance = wm * glm::transpose(wm);

    glm::dmat2 dCov2 = covarianceGradient(p.conic, gradient.conic);
    const double sigma = sigmoid(splats.logitOpacities[i]);
    if (settings.antialiased) dCov2 += gradient.opacity * sigma * compensationGradient(imageAxes(splats, i, point, camera));
    const glm::dmat3x2 j = projectionJacobian(point, clampedRatio(point, camera), camera);
    const glm::dmat3 dCov3 = glm::transpose(j) * dCov2 * j;
    addShapeGradient(out.splats, splats, i, glm::transpose(w) * dCov3 * w);
    addNormalGradient(out.splats, splats, i, camera, gradient.normal);

    glm::dvec3 dPoint = cameraPointGradient(point, camera, gradient.mean, 2.0 * dCov2 * j * cameraCovariance);
    dPoint.z -= gradient.inverseDepth / (point.z * point.z);
    const glm::dvec3 offset = splats.means[i] - camera.position();
    const glm::dvec3 dOffset = addColourGradient(out.splats, splats, i, offset, settings, gradient.colour);
    out.splats.means[i] += glm::transpose(w) * dPoint + dOffset;
    out.splats.logitOpacities[i] += gradient.opacity * p.opacity * (1 - sigma);

    // A left twist moves the camera's position by -Wᵀ translation, hence the offset by +Wᵀ translation.
    out.camera.translation += dPoint + w * dOffset;
    out.camera.rotation +=
        glm::cross(point, dPoint) + glm::cross(p.normal, gradient.normal) + 2.0 * crossGradient(dCov3 * cameraCovariance);
}

}  // namespace

ProjectionGradients projectBackward(const Splats& splats, const Camera& camera, const Settings& settings,
                                    std::span<const ProjectedGradient> projected) {
    ProjectionGradients out{.splats = zerosLike(splats), .camera = {}};
    for (size_t i = 0; i < splats.count(); ++i) addSplat(out, splats, i, camera, settings, projected[i]);
    return out;
}

Gradients backward(const Splats& splats, const Camera& camera, const Settings& settings, const PictureGradient& picture) {
    BlendGradients blended = blendBackward(projectAll(splats, camera, settings), settings, picture);
    ProjectionGradients through = projectBackward(splats, camera, settings, blended.projected);
    return {.splats = std::move(through.splats),
            .projected = std::move(blended.projected),
            .background = blended.background,
            .camera = through.camera};
}

}  // namespace splat::reference
