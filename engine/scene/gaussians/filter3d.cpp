#include <splatwright/scene/gaussians/filter3d.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>

namespace splat {

namespace {

/// Adds the variance to the squared scales. Returns the logarithm of sqrt(det S / det (S + variance)).
double widen(glm::vec3& logScales, double variance) {
    const glm::dvec3 before(logScales);
    glm::dvec3 after;
    for (int k = 0; k < 3; ++k) after[k] = 0.5 * std::log(std::exp(2 * before[k]) + variance);
    logScales = after;
    const glm::dvec3 lost = before - after;
    return std::min(0.0, lost.x + lost.y + lost.z);  // rounding may add to a scale far above the filter's
}

}  // namespace

void bakeFilter(Gaussians& g, std::span<const float> variances) {
    SPLAT_CHECK(variances.size() == g.count(), "{} variances, {} Gaussians", variances.size(), g.count());
    for (size_t i = 0; i < g.count(); ++i) {
        if (!(variances[i] > 0)) continue;
        const double logShare = widen(g.logScales[i], static_cast<double>(variances[i]));
        // ln(o s / (1 - o s)) of the opacity o and the share s, without cancellation where either is near 1.
        const double logit = static_cast<double>(g.logitOpacities[i]);
        g.logitOpacities[i] = static_cast<float>(logShare - std::log(std::exp(-logit) - std::expm1(logShare)));
    }
}

}  // namespace splat
