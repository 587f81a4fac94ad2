// Drops floaters: splats that are far from their neighbours.
#include <splatwright/convert/operation.h>
#include <splatwright/scene/gaussians/neighbours.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/scene/gaussians/usable.h>

namespace splat {
namespace {

Change isolated(std::span<const double> times) {
    return [most = static_cast<float>(times[0])](Gaussians& gaussians, const LazyDevice&) {
        gaussians = usableOnly(std::move(gaussians));
        gaussians = filtered(std::move(gaussians),
                             [&, distances = isolation(gaussians.means)](const Gaussians&, size_t i) { return distances[i] <= most; });
    };
}

}  // namespace

extern const SplatOperation kIsolatedOperation{
    .name = "isolated",
    .value = "X",
    .min = 1,
    .max = 1e6,
    .help = "Drop splats whose distance to their eight nearest neighbours exceeds X times the median of all, and what `finite` drops",
    .ofNumbers = isolated};

}  // namespace splat
