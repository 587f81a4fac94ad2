#pragma once

#include <cstdint>
#include <string>

#include <splatwright/train/model/store.h>
#include <splatwright/train/settings/settings.h>
#include <splatwright/train/step/growth.h>
#include <splatwright/train/step/model_guard.h>
#include <splatwright/train/step/step_recorder.h>

namespace splat {

/// Chooses the capacities of the model and of the frame: at the start, after an overflow, and when memory runs out.
class GrowingBuffers {
public:
    GrowingBuffers(gpu::Device& device, GaussianStore& store, StepRecorder& recorder, ModelGuard& guard);

    /// Limits the model to `max_splats` and to what the device can bind. Memory that ran out before may be tried again.
    void setLimit(const TrainSettings& settings);

    /// Makes room for at least so many Gaussians, within the limit; there must be no frame.
    void reserve(uint32_t gaussians);
    /// Makes the frame for a model that has not been drawn yet.
    void makeFirstFrame(uint32_t gaussians);
    /// Makes the frame with these capacities, with more buckets if the settings now need checkpoints of blending.
    void makeFrameAfterChange(const FrameCapacity& had);
    /// Makes the frame with the capacities that it had, if it was released.
    void restoreFrame();

    /// Grows what overflowed, with a margin if memory allows. If a refinement does not fit, the model stops growing; throws gpu::OutOfMemory
    /// if not even the steps fit.
    void grow(const StepCapacity& needed);

private:
    uint32_t startBuckets() const;

    gpu::Device& device_;
    GaussianStore& store_;
    StepRecorder& recorder_;
    ModelGuard& guard_;
    uint32_t deviceLimit_ = 0;  ///< in Gaussians, as limit_
    uint32_t limit_ = 0;
};

}  // namespace splat
