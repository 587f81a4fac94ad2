// Drops splats by what they are.
#include <algorithm>
#include <cmath>

#include <splatwright/convert/operation.h>
#include <splatwright/core/error.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/scene/gaussians/usable.h>

namespace splat {
namespace {

template <class Keeps>
Change keepIf(Keeps keeps) {
    return [keeps](Gaussians& gaussians, const LazyDevice&) { gaussians = filtered(std::move(gaussians), keeps); };
}

Change finite(std::span<const double>) { return keepIf(isUsable); }

Change box(std::span<const double> n) {
    const glm::dvec3 a(n[0], n[1], n[2]), b(n[3], n[4], n[5]);
    const glm::vec3 low(glm::min(a, b)), high(glm::max(a, b));
    return keepIf([low, high](const Gaussians& g, size_t i) {
        return glm::all(glm::greaterThanEqual(g.means[i], low)) && glm::all(glm::lessThanEqual(g.means[i], high));
    });
}

Change sphere(std::span<const double> n) {
    if (!(n[3] > 0)) throw InputError("expected a radius above 0");
    return keepIf([centre = glm::dvec3(n[0], n[1], n[2]), r = n[3]](const Gaussians& g, size_t i) {
        return glm::distance(glm::dvec3(g.means[i]), centre) <= r;
    });
}

Change minOpacity(std::span<const double> least) {
    return keepIf(
        [least = static_cast<float>(least[0])](const Gaussians& g, size_t i) { return opacityOfLogit(g.logitOpacities[i]) >= least; });
}

Change maxSize(std::span<const double> most) {
    return keepIf([most = static_cast<float>(std::log(most[0]))](const Gaussians& g, size_t i) {
        const glm::vec3 s = g.logScales[i];
        return std::max({s.x, s.y, s.z}) <= most;
    });
}

}  // namespace

extern const SplatOperation kFiniteOperation{
    .name = "finite", .help = "Drop splats with NaN, infinite numbers or no rotation", .ofNumbers = finite, .reach = Reach::splats};
extern const SplatOperation kBoxOperation{.name = "box",
                                          .value = "X,Y,Z,X,Y,Z",
                                          .min = -1e9,
                                          .max = 1e9,
                                          .help = "Keep what lies between two corners",
                                          .ofNumbers = box,
                                          .reach = Reach::splats};
extern const SplatOperation kSphereOperation{.name = "sphere",
                                             .value = "X,Y,Z,R",
                                             .min = -1e9,
                                             .max = 1e9,
                                             .help = "Keep what lies within a radius of a point",
                                             .ofNumbers = sphere,
                                             .reach = Reach::splats};
extern const SplatOperation kMinOpacityOperation{.name = "min-opacity",
                                                 .value = "X",
                                                 .min = 0,
                                                 .max = 1,
                                                 .help = "Drop splats of lower opacity",
                                                 .ofNumbers = minOpacity,
                                                 .reach = Reach::splats};
extern const SplatOperation kMaxSizeOperation{.name = "max-size",
                                              .value = "X",
                                              .min = 1e-9,
                                              .max = 1e9,
                                              .help = "Drop splats with a larger standard deviation along any axis, scene units",
                                              .ofNumbers = maxSize,
                                              .reach = Reach::splats};

}  // namespace splat
