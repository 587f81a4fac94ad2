#include <splatwright/scene/gaussians/usable.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <splatwright/scene/gaussians/attributes.h>
#include <splatwright/scene/gaussians/selected.h>

namespace splat {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool isFinite(const Gaussians& g, size_t i) {
    return std::ranges::all_of(kAttributes, [&](const AttributeRow& row) {
        const HostPlane<const float> first = hostPlane(g, row, 0);
        const std::span words(first.first + i * first.stride, size_t{row.words} * planesAt(row, g.shDegree));
        return std::ranges::all_of(words, [](float word) { return std::isfinite(word); });
    });
}

}  // namespace

bool isUsable(const Gaussians& g, size_t i) {
    const float squaredLength = glm::dot(g.rotations[i], g.rotations[i]);
    const glm::vec3 scale = glm::exp(g.logScales[i]);
    return isFinite(g, i) && squaredLength > 0 && std::isfinite(squaredLength) &&
           glm::all(glm::lessThan(scale * scale, glm::vec3(kInfinity)));
}

Gaussians usableOnly(Gaussians gaussians) { return filtered(std::move(gaussians), isUsable); }

}  // namespace splat
