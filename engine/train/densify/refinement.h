#pragma once

#include <splatwright/primitives/scan.h>
#include <splatwright/train/densify/densifier.h>

namespace splat {

/// What the densifiers share: the refinement's own small buffers, and bringing gaussians to new places.
class RefinementTools {
public:
    RefinementTools(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings);

    /// Counts the gaussians that take part and draws the refinement's seed.
    void recordBegin(gpu::Commands& commands, const RefineJob& job) const;
    /// The gaussians where they are, with the codes of their places, for recordSortByPlace().
    void recordOrder(gpu::Commands& commands, const RefineJob& job) const;
    /// Sorts parents(job) by codes(job): neighbours in space become neighbours in memory. Stable.
    void recordSortByPlace(gpu::Commands& commands, const RefineJob& job) const;
    /// Brings every parameter and moment to where parents(job) says; new gaussians' moments start at zero.
    void recordPermutation(gpu::Commands& commands, const RefineJob& job) const;

    // Borrowed from the frame: as long as the model.
    static gpu::BufferSlice parents(const RefineJob& job) { return job.frame.gaussiansA; }
    static gpu::BufferSlice codes(const RefineJob& job) { return job.frame.depthKeysA; }

    /// A word of the refinement (shared::kRefinementBefore, ...), for counts and totals.
    static primitives::Word word(const RefineJob& job, uint32_t index) { return {job.refinement, index}; }

    gpu::Buffer perBefore, perAfter;  ///< group counts of a gaussian a thread
    primitives::ScanScratch scanScratch;
    primitives::ExclusiveScan scan;

private:
    void permuteThrough(gpu::Commands& commands, const RefineJob& job, const StoredBuffer& buffer, uint32_t plane) const;

    const primitives::RadixSort* sort_;
    uint32_t seed_;
};

}  // namespace splat
