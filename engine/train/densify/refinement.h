#pragma once

#include "primitives/scan.h"
#include "train/densify/densifier.h"

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

    /// A word of the refinement (kRefinementBefore, ...), for counts and totals.
    static primitives::Word word(const RefineJob& job, uint32_t index) { return {job.refinement, index}; }

    gpu::Buffer perBefore, perAfter;  ///< group counts of a gaussian a thread
    primitives::ScanScratch scanScratch;
    primitives::ExclusiveScan scan;

private:
    void permuteThrough(gpu::Commands& commands, const RefineJob& job, const Attribute& attribute, uint32_t plane, uint32_t planes) const;

    const primitives::RadixSort* sort_;
    uint32_t seed_;
};

// Words of shared::Refinement.
inline constexpr uint32_t kRefinementBefore = 0;
inline constexpr uint32_t kRefinementKept = 1;
inline constexpr uint32_t kRefinementBirths = 2;
inline constexpr uint32_t kRefinementAfter = 5;
inline constexpr uint32_t kRefinementSeed = 6;

}  // namespace splat
