#pragma once

#include <splatwright/primitives/scan.h>
#include <splatwright/train/densify/densifier.h>

namespace splat {

/// What events between two steps share (RefineJob::tools): counting, sorting and permuting Gaussians.
class RefinementTools {
public:
    RefinementTools(gpu::Device& device, const primitives::RadixSort& sort, const TrainSettings& settings);

    /// Sets the refinement's Gaussian count and random seed.
    void recordBegin(gpu::Commands& commands, const RefineJob& job) const;
    /// Writes the identity to parents(job) and Morton codes to codes(job), for recordSortByPlace().
    void recordOrder(gpu::Commands& commands, const RefineJob& job) const;
    /// Sorts parents(job) by codes(job), so that neighbours in space become neighbours in memory. Stable.
    void recordSortByPlace(gpu::Commands& commands, const RefineJob& job) const;
    /// Gathers all parameters and moments by parents(job); moments of new Gaussians are zero.
    void recordPermutation(gpu::Commands& commands, const RefineJob& job) const;

    // Scratch buffers of the frame, one word per Gaussian: index before the refinement, and Morton code.
    static gpu::BufferSlice parents(const RefineJob& job) { return job.frame.gaussiansA; }
    static gpu::BufferSlice codes(const RefineJob& job) { return job.frame.depthKeysA; }

    /// A word of the refinement (shared::kRefinementBefore, ...), for counts and totals.
    static primitives::Word word(const RefineJob& job, uint32_t index) { return {job.refinement, index}; }

    gpu::Buffer perBefore, perAfter;  ///< group counts for one thread per Gaussian, before and after
    primitives::ScanScratch scanScratch;
    primitives::ExclusiveScan scan;

private:
    void permuteThrough(gpu::Commands& commands, const RefineJob& job, const StoredBuffer& stored, size_t buffer) const;

    const primitives::RadixSort* sort_;
    uint32_t seed_;
};

}  // namespace splat
