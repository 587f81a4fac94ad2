#include "scene/usable.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace splat {

namespace {

template <class Vector>
bool isFinite(const Vector& v) {
    for (glm::length_t k = 0; k < Vector::length(); ++k)
        if (!std::isfinite(v[k])) return false;
    return true;
}

/// Keeps the items of gaussians with a place in the list, `each` items a gaussian.
template <class Item>
void keep(std::vector<Item>& items, std::span<const size_t> kept, size_t each) {
    for (size_t i = 0; i < kept.size(); ++i)
        for (size_t k = 0; k < each; ++k) items[i * each + k] = items[kept[i] * each + k];
    items.resize(kept.size() * each);
}

}  // namespace

bool isUsable(const Gaussians& g, size_t i) {
    const float squaredLength = glm::dot(g.rotations[i], g.rotations[i]);
    const glm::vec3 scale = glm::exp(g.logScales[i]);
    const size_t coefficients = shCoefficients(g.shDegree);
    return isFinite(g.means[i]) && squaredLength > 0 && std::isfinite(squaredLength) && isFinite(g.logScales[i]) &&
           isFinite(scale * scale) && std::isfinite(g.logitOpacities[i]) &&
           std::ranges::all_of(std::span(g.sh).subspan(i * coefficients, coefficients), isFinite<glm::vec3>);
}

Gaussians usableOnly(Gaussians g) {
    std::vector<size_t> kept;
    for (size_t i = 0; i < g.count(); ++i)
        if (isUsable(g, i)) kept.push_back(i);
    if (kept.size() == g.count()) return g;
    keep(g.means, kept, 1);
    keep(g.rotations, kept, 1);
    keep(g.logScales, kept, 1);
    keep(g.logitOpacities, kept, 1);
    keep(g.sh, kept, shCoefficients(g.shDegree));
    return g;
}

}  // namespace splat
