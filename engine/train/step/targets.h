#pragma once

#include <optional>
#include <span>
#include <vector>

#include <splatwright/gpu/device.h>
#include <splatwright/scene/dataset.h>

namespace splat {

/// The training images as the loss reads them: RGBA8, one word per pixel with red in the low byte. They are the only copy, and one trainer after
/// another may use them. Images that fit stay on the GPU; else they lie in host memory, and each is copied into the slot of its step while
/// earlier steps run: step s reads slot s mod the number of slots, which is free once the submission that read it before is done.
class Targets {
public:
    /// Takes the pixels out of the photographs. They stay on the GPU if they need at most `deviceBytes` there, or no more than the slots.
    Targets(gpu::Device& device, std::span<Photograph> photographs, uint64_t deviceBytes);
    ~Targets();
    Targets(const Targets&) = delete;
    Targets& operator=(const Targets&) = delete;

    /// What the fourth byte says: that of all photographs, 255 where one has no more to say.
    Coverage coverage() const { return coverage_; }
    bool resident() const { return slotUsed_.empty(); }
    /// Steps that may go into one submission: while they run, the photographs of as many more arrive.
    uint32_t stepsAtOnce() const;
    /// Where a step on the view finds its photograph: in this slice, from firstPixel() on.
    gpu::BufferSlice of(size_t view) const { return resident() ? photographs_[view] : gpu::BufferSlice(slots_); }
    uint32_t firstPixel(uint32_t step) const { return resident() ? 0 : slotOf(step) * slotPixels_; }

    /// Fills in pixels and coverage of a photograph whose pixels this has taken. For any thread; waits for the GPU if they are there.
    void readback(size_t view, Photograph& photograph) const;

    /// Sends the photograph of a step's view on its way; the step is submitted after the arrival. Never blocks.
    gpu::Arrival fetch(uint32_t step, size_t view);
    /// The step's slot is free for another photograph when the ticket is done.
    void release(uint32_t step, gpu::Ticket ticket);

private:
    uint32_t slotOf(uint32_t step) const { return step % static_cast<uint32_t>(slotUsed_.size()); }
    void keepOnGpu(std::span<Photograph> photographs);
    void keepOnHost(std::span<Photograph> photographs);

    gpu::Device& device_;
    std::vector<gpu::Buffer> buffers_;                  ///< on the GPU, or the host's
    std::vector<gpu::BufferSlice> photographs_;         ///< a view
    std::vector<std::span<const uint32_t>> hostWords_;  ///< of each view, where they are not on the GPU
    gpu::Buffer slots_;                                 ///< each as large as the largest photograph
    uint32_t slotPixels_ = 0;
    std::vector<gpu::Ticket> slotUsed_;                 ///< by the last submission that reads it
    std::vector<std::optional<gpu::Transfer>> copies_;  ///< [view * number of slots + slot], recorded when first needed
    gpu::Arrival last_;
    Coverage coverage_;
};

}  // namespace splat
