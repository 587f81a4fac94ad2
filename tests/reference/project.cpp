#include "reference/project.h"

#include <algorithm>
#include <cmath>

#include "reference/sh.h"

namespace splat::reference {
namespace {

template <class Vector>
bool finite(const Vector& v) {
    for (int k = 0; k < Vector::length(); ++k)
        if (!std::isfinite(v[k])) return false;
    return true;
}

bool parametersUsable(const Splats& splats, size_t i) {
    const double norm2 = glm::dot(splats.rotations[i], splats.rotations[i]);
    return finite(splats.means[i]) && finite(splats.logScales[i]) && std::isfinite(splats.logitOpacities[i]) && std::isfinite(norm2) &&
           norm2 != 0;
}

bool boxTouchesImage(const Projected& p, const Camera& camera) {
    const glm::dvec2 low = p.mean - p.halfExtent, high = p.mean + p.halfExtent;
    return high.x >= 0 && high.y >= 0 && low.x <= camera.width && low.y <= camera.height;
}

}  // namespace

double sigmoid(double logit) { return 1 / (1 + std::exp(-logit)); }

ViewRatio clampedRatio(const glm::dvec3& cameraPoint, const Camera& camera) {
    const glm::dvec2 focal(camera.fx, camera.fy), centre(camera.cx, camera.cy), size(camera.width, camera.height);
    const glm::dvec2 margin = kFrustumMargin * 0.5 * size / focal;
    const glm::dvec2 low = -(centre / focal + margin), high = (size - centre) / focal + margin;
    const glm::dvec2 ratio = glm::dvec2(cameraPoint) / cameraPoint.z;
    return {.value = glm::clamp(ratio, low, high), .clamped = {ratio.x < low.x || ratio.x > high.x, ratio.y < low.y || ratio.y > high.y}};
}

glm::dmat3x2 projectionJacobian(const glm::dvec3& cameraPoint, const ViewRatio& ratio, const Camera& camera) {
    const glm::dvec2 f = glm::dvec2(camera.fx, camera.fy) / cameraPoint.z;
    // The third column is -f * t / z² with t = z * ratio.
    return {glm::dvec2(f.x, 0), glm::dvec2(0, f.y), -f * ratio.value};
}

glm::dmat3x2 imageAxes(const Splats& splats, size_t i, const glm::dvec3& cameraPoint, const Camera& camera) {
    const glm::dmat3 r = rotationMatrix(glm::normalize(splats.rotations[i]));
    const glm::dvec3 s = glm::exp(splats.logScales[i]);
    const glm::dmat3 m(r[0] * s.x, r[1] * s.y, r[2] * s.z);
    const glm::dmat3x2 j = projectionJacobian(cameraPoint, clampedRatio(cameraPoint, camera), camera);
    return j * camera.rotation * m;
}

glm::dmat2 imageCovariance(const Splats& splats, size_t i, const glm::dvec3& cameraPoint, const Camera& camera) {
    const glm::dmat3x2 axes = imageAxes(splats, i, cameraPoint, camera);
    return axes * glm::transpose(axes);
}

double determinant(const glm::dmat3x2& axes, double dilation) {
    const glm::dvec3 x(axes[0][0], axes[1][0], axes[2][0]), y(axes[0][1], axes[1][1], axes[2][1]);
    const glm::dvec3 normal = glm::cross(x, y);
    return glm::dot(normal, normal) + dilation * (glm::dot(x, x) + glm::dot(y, y) + dilation);
}

double compensation(const glm::dmat3x2& axes) { return std::sqrt(determinant(axes, 0) / determinant(axes, kDilation)); }

glm::dmat3 rotationMatrix(const glm::dvec4& unitQuaternion) {
    const double w = unitQuaternion.x, x = unitQuaternion.y, y = unitQuaternion.z, z = unitQuaternion.w;
    return {glm::dvec3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            glm::dvec3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            glm::dvec3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))};
}

size_t activeCoefficients(const Splats& splats, const Settings& settings) {
    return shCoefficients(std::min(splats.shDegree, settings.shDegree));
}

glm::dvec3 unclampedColour(const Splats& splats, size_t i, const glm::dvec3& direction, const Settings& settings) {
    const auto basis = shBasis(direction);
    const size_t first = i * shCoefficients(splats.shDegree);
    glm::dvec3 colour(0.5);
    for (size_t k = 0; k < activeCoefficients(splats, settings); ++k) colour += basis[k] * splats.sh[first + k];
    return colour;
}

int shortestAxis(const glm::dvec3& logScale) {
    if (logScale.x <= std::min(logScale.y, logScale.z)) return 0;
    return logScale.y <= logScale.z ? 1 : 2;
}

glm::dvec3 facingNormal(const Splats& splats, size_t i, const Camera& camera) {
    const glm::dvec3 axis = rotationMatrix(glm::normalize(splats.rotations[i]))[shortestAxis(splats.logScales[i])];
    return camera.rotation * (glm::dot(axis, splats.means[i] - camera.position()) > 0 ? -axis : axis);
}

Projected project(const Splats& splats, size_t i, const Camera& camera, const Settings& settings) {
    if (!parametersUsable(splats, i)) return {};
    const glm::dvec3 point = camera.rotation * splats.means[i] + camera.translation;
    if (point.z < kNear) return {};

    const glm::dmat3x2 axes = imageAxes(splats, i, point, camera);
    const glm::dmat2 cov = axes * glm::transpose(axes) + glm::dmat2(kDilation);
    const double det = determinant(axes, kDilation);
    const double opacity = sigmoid(splats.logitOpacities[i]) * (settings.antialiased ? compensation(axes) : 1);
    if (!(opacity >= kMinAlpha)) return {};
    const glm::dvec3 colour = unclampedColour(splats, i, glm::normalize(splats.means[i] - camera.position()), settings);
    if (!(det > 0) || !finite(colour)) return {};

    Projected p;
    p.mean = glm::dvec2(camera.fx, camera.fy) * glm::dvec2(point) / point.z + glm::dvec2(camera.cx, camera.cy);
    p.conic = glm::dvec3(cov[1][1], -cov[0][1], cov[0][0]) / det;
    p.opacity = opacity;
    p.colour = glm::max(glm::dvec3(0), colour);
    p.depth = point.z;
    p.normal = facingNormal(splats, i, camera);

    // alpha >= 1/255 bounds power from below; over that ellipse |dx| reaches sqrt(-2 power cov_xx), and so in y.
    const double reach = 2 * std::max(0.0, std::log(opacity / kMinAlpha));
    p.halfExtent = glm::sqrt(reach * glm::dvec2(cov[0][0], cov[1][1]));
    p.visible = finite(p.mean) && finite(p.conic) && finite(p.halfExtent) && boxTouchesImage(p, camera);
    return p;
}

std::vector<Projected> projectAll(const Splats& splats, const Camera& camera, const Settings& settings) {
    std::vector<Projected> projected(splats.count());
    for (size_t i = 0; i < splats.count(); ++i) projected[i] = project(splats, i, camera, settings);
    return projected;
}

}  // namespace splat::reference
