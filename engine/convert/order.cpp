// Reduces the degree of view-dependent colour, and sorts splats.
#include <splatwright/convert/operation.h>
#include <splatwright/scene/gaussians/morton.h>
#include <splatwright/scene/gaussians/selected.h>

namespace splat {
namespace {

Change shDegree(std::span<const double> most) {
    return [degree = static_cast<int>(most[0])](Gaussians& gaussians, const LazyDevice&) {
        if (gaussians.shDegree > degree) setShDegree(gaussians, degree);
    };
}

Change morton(std::span<const double>) {
    return [](Gaussians& gaussians, const LazyDevice&) { gaussians = selected(gaussians, mortonOrder(gaussians.means)); };
}

}  // namespace

extern const SplatOperation kShDegreeOperation{.name = "sh-degree",
                                               .value = "N",
                                               .min = 0,
                                               .max = kMaxShDegree,
                                               .help = "Drop coefficients of view-dependent colour above this degree",
                                               .ofNumbers = shDegree,
                                               .reach = Reach::values};
extern const SplatOperation kMortonOperation{
    .name = "morton", .help = "Sort along a Morton curve, so that neighbours in space are near in the file", .ofNumbers = morton};

}  // namespace splat
