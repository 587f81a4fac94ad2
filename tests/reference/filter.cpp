#include "reference/filter.h"

#include <algorithm>
#include <cmath>

#include "reference/project.h"

namespace splat::reference {
namespace {

/// s² / (s² + variance) per axis.
glm::dvec3 ratios(const glm::dvec3& logScale, double variance) {
    const glm::dvec3 squares = glm::exp(2.0 * logScale);
    return squares / (squares + variance);
}

double shareOf(const glm::dvec3& logScale, double variance) {
    const glm::dvec3 r = ratios(logScale, variance);
    return std::sqrt(r.x * r.y * r.z);
}

}  // namespace

double samplingRate(const glm::dvec3& point, const Camera& camera) {
    const glm::dvec3 p = camera.rotation * point + camera.translation;
    if (p.z < kNear) return 0;
    const double x = camera.fx * p.x / p.z + camera.cx, y = camera.fy * p.y / p.z + camera.cy;
    const bool inside = x >= -kFilterMargin * camera.width && x <= (1 + kFilterMargin) * camera.width &&
                        y >= -kFilterMargin * camera.height && y <= (1 + kFilterMargin) * camera.height;
    return inside ? std::max(camera.fx, camera.fy) / p.z : 0;
}

std::vector<double> filterVariances(const Splats& splats, std::span<const Camera> cameras) {
    std::vector<double> variances;
    for (const glm::dvec3& mean : splats.means) {
        double rate = 0;
        for (const Camera& camera : cameras) rate = std::max(rate, samplingRate(mean, camera));
        variances.push_back(rate > 0 ? kFilterVariance / (rate * rate) : 0);
    }
    const double widest = variances.empty() ? 0 : *std::ranges::max_element(variances);
    std::ranges::replace(variances, 0.0, widest);
    return variances;
}

Splats filtered(const Splats& splats, std::span<const double> variances) {
    Splats result = splats;
    for (size_t i = 0; i < splats.count(); ++i) {
        if (variances[i] == 0) continue;
        for (int k = 0; k < 3; ++k) result.logScales[i][k] = 0.5 * std::log(std::exp(2 * splats.logScales[i][k]) + variances[i]);
        const double opacity = sigmoid(splats.logitOpacities[i]) * shareOf(splats.logScales[i], variances[i]);
        result.logitOpacities[i] = std::log(opacity / (1 - opacity));
    }
    return result;
}

Splats filterBackward(const Splats& splats, std::span<const double> variances, const Splats& byFiltered) {
    Splats gradient = byFiltered;
    for (size_t i = 0; i < splats.count(); ++i) {
        if (variances[i] == 0) continue;
        const double before = sigmoid(splats.logitOpacities[i]);
        const double after = before * shareOf(splats.logScales[i], variances[i]);
        const double byLogOpacity = byFiltered.logitOpacities[i] / (1 - after);
        const glm::dvec3 r = ratios(splats.logScales[i], variances[i]);
        gradient.logScales[i] = byFiltered.logScales[i] * r + byLogOpacity * (1.0 - r);
        gradient.logitOpacities[i] = byLogOpacity * (1 - before);
    }
    return gradient;
}

}  // namespace splat::reference
