#pragma once

#include <splatwright/train/densify/refinement.h>

namespace splat {

/// From decisions (shaders/lib/densify/decisions.slang) to a refined model: which Gaussians stay, which are copied, and the places of all.
struct Division {
    explicit Division(const TrainSettings& settings) : longAxisSplit_(settings.longAxisSplit) {}

    /// kept(): 0 or 1 per Gaussian; becomes the number kept before it.
    void recordKept(gpu::Commands& commands, const RefineJob& job) const;
    /// requested(): 1 per Gaussian that a clone or a split asks to follow; becomes the number requested before it. Decides how many are
    /// admitted, and halts the frame if they exceed the capacity.
    void recordAdmission(gpu::Commands& commands, const RefineJob& job) const;
    /// Brings all Gaussians to their places; children are copies so far.
    void recordPlaces(gpu::Commands& commands, const RefineJob& job, bool sorted) const;
    /// Shapes split children. Without long_axis_split they keep their parent's opacity, or its combined opacity if `revised`.
    void recordChildren(gpu::Commands& commands, const RefineJob& job, bool revised) const;

    // Borrowed from the frame: u32 per Gaussian.
    static gpu::BufferSlice decisions(const RefineJob& job) { return job.frame.gaussianFromVisible; }
    static gpu::BufferSlice kept(const RefineJob& job) { return job.frame.tileCounts; }
    static gpu::BufferSlice requested(const RefineJob& job) { return job.frame.firstInstances; }

private:
    void recordScan(gpu::Commands& commands, const RefineJob& job, gpu::BufferSlice flags, uint32_t total) const;

    bool longAxisSplit_;
};

}  // namespace splat
