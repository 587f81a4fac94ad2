#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <splatwright/primitives/compact.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/model.h>
#include <splatwright/scene/gaussians/extent.h>

namespace splat {

/// Merges splats on the device, two at a time, those first that change pictures least (shaders/lib/convert/merge.slang). The same input gives the
/// same splats.
class SplatMerger {
public:
    /// Splats are usable and in an order in which neighbours in space are near in the list (mortonOrder()); at most kMost. Only those of the same
    /// group are merged, which stand together. `seen` is what cameras look at: what lies outside of it is farther away, and errors matter less.
    SplatMerger(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& splats, std::span<const uint32_t> groups,
                const Extent& seen);

    static constexpr uint32_t kMost = 1u << 20u;

    /// Merges until at most so many are left, or no two of a group, and returns in how many rounds. Waits.
    uint32_t reduceTo(uint32_t count);

    uint32_t count() const { return count_; }
    /// The splats that are left, on the device, until they are reduced again.
    const GaussianModel& model() const { return models_[0]; }
    /// The splats that are left, in the order of the list.
    Gaussians splats() const;
    /// For each of them, the index in the input of the one that it mostly consists of.
    std::vector<uint32_t> origins() const;

private:
    void recordPairs(gpu::Commands& commands) const;
    void recordMerge(gpu::Commands& commands, uint32_t pairs) const;
    void recordGather(gpu::Commands& commands) const;

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    primitives::Compaction compaction_;
    Extent seen_;
    int shDegree_;
    uint32_t count_;
    std::array<GaussianModel, 2> models_;  // the first one is current, the other free
    std::array<PlanarBuffer, 2> origins_, damages_;
    gpu::Buffer groups_, summaries_, candidates_, partners_, choices_, kept_, left_, keysA_, keysB_, splatsA_, splatsB_;
    primitives::SortScratch sortScratch_;
    primitives::ScanScratch scanScratch_;
};

}  // namespace splat
