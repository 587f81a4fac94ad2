// Reduces the number of splats by merging neighbours.
#include <algorithm>

#include <splatwright/convert/operation.h>
#include <splatwright/convert/splat_merger.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/gaussians/morton.h>
#include <splatwright/scene/gaussians/selected.h>
#include <splatwright/scene/gaussians/usable.h>
#include <splatwright/shared/frame.h>

namespace splat {
namespace {

/// Whether any view draws the splat: a .splat file may have thousands of opacity 0.
bool isDrawn(const Gaussians& g, size_t i) { return opacityOfLogit(g.logitOpacities[i]) >= shared::kMinAlpha; }

/// At most SplatMerger::kMost splats, merged to so many.
Gaussians merged(const Gaussians& splats, uint32_t count, const Extent& seen, const LazyDevice& device) {
    SplatMerger merger(device.device(), device.sort(), splats, std::vector<uint32_t>(splats.count()), seen);
    merger.reduceTo(count);
    Gaussians result = merger.splats();
    result.extras = selected(splats, merger.origins()).extras;
    return result;
}

Change decimate(std::span<const double> number) {
    return [most = static_cast<uint64_t>(number[0])](Gaussians& gaussians, const LazyDevice& device) {
        gaussians = usableOnly(std::move(gaussians));
        if (gaussians.count() <= most) return;
        gaussians = filtered(std::move(gaussians), isDrawn);
        const uint64_t count = gaussians.count();
        if (count <= most) return;
        const Extent seen = extentOf(gaussians);
        const std::vector<uint32_t> order = mortonOrder(gaussians.means);
        const uint64_t parts = (count + SplatMerger::kMost - 1) / SplatMerger::kMost;
        Gaussians all;
        for (uint64_t part = 0; part < parts; ++part) {
            const auto at = [&](uint64_t of, uint64_t p) { return of * p / parts; };
            const std::span indices(order.data() + at(count, part), order.data() + at(count, part + 1));
            const auto share = static_cast<uint32_t>(at(most, part + 1) - at(most, part));
            Gaussians one = merged(selected(gaussians, indices), share, seen, device);
            if (part == 0)
                all = std::move(one);
            else
                append(all, one);
        }
        gaussians = std::move(all);
    };
}

}  // namespace

extern const SplatOperation kDecimateOperation{
    .name = "decimate",
    .value = "N",
    .min = 1,
    .max = 1e9,
    .help = "Merge neighbours until N splats are left, those first whose merge changes pictures least",
    .ofNumbers = decimate};

}  // namespace splat
