#include <splatwright/train/step/growth.h>

#include <algorithm>

#include <splatwright/render/forward.h>

namespace splat {

namespace {

uint32_t withMargin(uint32_t had, uint32_t needed) { return needed <= had ? had : FrameCapacity::withMargin(needed); }

uint32_t scaled(uint32_t capacity, double factor) {
    return static_cast<uint32_t>(std::min(factor * capacity, static_cast<double>(UINT32_MAX)));
}

}  // namespace

std::vector<StepCapacity> growthAttempts(const StepCapacity& had, const StepCapacity& needed, uint32_t limit) {
    const StepCapacity lists{had.gaussians, withMargin(had.instances, needed.instances), withMargin(had.buckets, needed.buckets)};
    const StepCapacity exactLists{had.gaussians, std::max(had.instances, needed.instances), std::max(had.buckets, needed.buckets)};
    std::vector<StepCapacity> attempts;
    if (needed.gaussians > had.gaussians) {
        // The new Gaussians are in as many tiles as the others: without memory for those instances, the next steps could not be done.
        const double more = static_cast<double>(needed.gaussians) / std::max(had.gaussians, 1u);
        // The last step to the limit is a long one: few growths move few buffers.
        constexpr double kMargin = 1.15, kLastStep = 1.5;
        const uint32_t most = std::max(needed.gaussians, limit);
        const uint32_t roomy = kLastStep * needed.gaussians >= limit ? most : static_cast<uint32_t>(kMargin * needed.gaussians) + 16'384;
        attempts.push_back({std::min(roomy, most), lists.instances, lists.buckets});
        attempts.push_back({needed.gaussians, scaled(exactLists.instances, more), scaled(exactLists.buckets, more)});
    }
    attempts.push_back(lists);
    if (exactLists != lists) attempts.push_back(exactLists);
    return attempts;
}

}  // namespace splat
