// Drops floaters: splats that are far from their neighbours.
#include <algorithm>
#include <vector>

#include <splatwright/convert/operation.h>
#include <splatwright/scene/gaussians/neighbours.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/scene/gaussians/usable.h>

namespace splat {
namespace {

constexpr size_t kNeighbours = 8;

Change isolated(std::span<const double> times) {
    return [squaredTimes = static_cast<float>(times[0] * times[0])](Gaussians& gaussians, const LazyDevice&) {
        gaussians = usableOnly(std::move(gaussians));
        if (gaussians.count() <= kNeighbours) return;
        const std::vector<float> squared = squaredNeighbourDistances(gaussians.means, kNeighbours);
        std::vector<float> sorted = squared;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::ranges::nth_element(sorted, middle);
        gaussians =
            filtered(std::move(gaussians), [&, most = squaredTimes * *middle](const Gaussians&, size_t i) { return squared[i] <= most; });
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
