#include <splatwright/scene/gaussians/extent.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace splat {

namespace {

double opacityOf(const Gaussians& gaussians, size_t i) { return 1 / (1 + std::exp(-static_cast<double>(gaussians.logitOpacities[i]))); }

}  // namespace

Extent extentOf(const Gaussians& gaussians) {
    Extent extent;
    double total = 0;
    for (size_t i = 0; i < gaussians.count(); ++i) {
        extent.centre += opacityOf(gaussians, i) * glm::dvec3(gaussians.means[i]);
        total += opacityOf(gaussians, i);
    }
    if (total > 0) extent.centre /= total;
    std::vector<std::pair<double, double>> distances;  // and weight
    for (size_t i = 0; i < gaussians.count(); ++i)
        distances.emplace_back(glm::distance(glm::dvec3(gaussians.means[i]), extent.centre), opacityOf(gaussians, i));
    // The radius is their weighted median.
    std::ranges::sort(distances);
    double sum = 0;
    for (const auto& [distance, weight] : distances) {
        sum += weight;
        if (!(sum >= 0.5 * total)) continue;
        if (distance > 0) extent.radius = distance;
        break;
    }
    return extent;
}

Extent transformed(const Extent& extent, const ModelTransform& transform) {
    return {transformed(extent.centre, transform), extent.radius * transform.scale};
}

Extent extentAround(std::span<const Extent> extents) {
    if (extents.empty()) return {};
    Extent all = extents.front();
    for (const Extent& e : extents.subspan(1)) {
        const double distance = glm::distance(all.centre, e.centre);
        if (distance + e.radius <= all.radius) continue;
        if (distance + all.radius <= e.radius) {
            all = e;
            continue;
        }
        const double radius = (distance + all.radius + e.radius) / 2;
        all = {all.centre + (e.centre - all.centre) * ((radius - all.radius) / distance), radius};
    }
    return all;
}

}  // namespace splat
