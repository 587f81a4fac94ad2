#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/forward.h"

namespace splat {

/// What the GPU said of a picture, when it was long done.
struct FrameReport {
    uint64_t frame = 0;     ///< counted from 0
    bool complete = false;  ///< false: a capacity was too small, so the picture is the background; it has been grown since
    uint32_t visible = 0;   ///< gaussians
    uint32_t instances = 0;
    std::vector<std::pair<std::string, double>> stages;  ///< GPU milliseconds
};

/// Draws one picture of a model after another without waiting for any: a few are in flight, counts and overflows are read late. Every picture
/// takes the place of the one before.
class FrameLoop {
public:
    FrameLoop(gpu::Device& device, const primitives::RadixSort& sort, const GaussianModel& model, glm::uvec2 size, glm::vec3 background,
              int shDegree);
    ~FrameLoop();

    /// Submits the next picture, from a camera of the loop's size. Waits where too many are in flight.
    void draw(const Camera& camera);
    /// Waits for every picture that was submitted.
    void finish();
    /// What has been learnt since the last call, in the order of the frames.
    std::vector<FrameReport> reports();

    /// float3 a pixel: the last picture, linear 0 and up.
    gpu::BufferSlice colours() const { return frame_->colours; }
    const FrameCapacity& capacity() const { return frame_->capacity; }

private:
    static constexpr size_t kInFlight = 3;

    struct Slot {
        std::optional<gpu::Commands> commands;
        gpu::Ticket ticket = 0;
    };

    void makeFrame(uint32_t instances);
    gpu::Commands record(uint32_t slot) const;
    void collect();

    gpu::Device& device_;
    const GaussianModel& model_;
    glm::uvec2 size_;
    shared::FrameParameters parameters_;
    Forward forward_;
    gpu::Buffer newViews_, views_;  ///< shared::ViewParameters a slot, on the host and on the GPU
    gpu::Buffer told_;              ///< shared::FrameReport a slot
    std::optional<FrameBuffers> frame_;
    Slot slots_[kInFlight];
    uint64_t submitted_ = 0;
    uint64_t collected_ = 0;
    std::vector<FrameReport> reports_;
};

}  // namespace splat
