#pragma once

#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/model/model_health.h>

namespace splat {

/// Measures the health of a model on the GPU, between two steps. The sums have a fixed order, so they are bit-identical from run to run.
class HealthMeter {
public:
    /// The settings may change in place.
    explicit HealthMeter(const DensifierInputs& inputs);

    /// Whether the health is measured after this many steps, before any refinement.
    static bool dueAfter(uint32_t steps) { return steps % kHealthEvery == 0; }

    /// Records the measurement; `ring` has a float4 per slot of the status ring, and this submission's is written.
    void record(gpu::Commands& commands, const RefineJob& job, gpu::BufferSlice ring, uint32_t slots) const;

    /// The measurement from what the GPU has written.
    static ModelHealth healthOf(const glm::vec4& sums, uint32_t gaussians);

private:
    static constexpr uint32_t kHealthEvery = 100;  // steps

    gpu::Buffer partials_;
    const TrainSettings& settings_;
    float extent_;
};

}  // namespace splat
