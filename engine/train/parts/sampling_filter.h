#pragma once

#include <splatwright/train/densify/refinement.h>

namespace splat {

/// Measures the 3D smoothing filters of a model from its training views (Mip-Splatting, Yu et al. 2024, section 4.1): on the GPU, between two
/// steps. A Gaussian's filter has 0.2 times the squared sampling interval, depth over focal length, of the view that samples it most densely.
class SamplingFilter {
public:
    SamplingFilter(gpu::Device& device, size_t views);

    /// Whether the filters are measured anew after this many steps: after growth, every 100 steps up to `densify_until`, every 1,000 later.
    static bool dueAfter(const TrainSettings& settings, uint32_t steps);

    /// Records the measurement from shared::ViewParameters of all views; a no-op while the frame state is halted.
    void record(gpu::Commands& commands, const RefineJob& job, gpu::BufferSlice views) const;

private:
    gpu::Buffer widest_;
    uint32_t views_;
};

}  // namespace splat
