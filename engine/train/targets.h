#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gpu/device.h"
#include "scene/dataset.h"

namespace splat {

/// The photographs as the loss reads them: RGBA8, one word a pixel with red in the low byte. Where they fit they stay on the GPU. Else they
/// lie in the host's memory, and each is copied into the slot of its step while earlier steps run: step s reads slot s % slots(), which is
/// free once step s - slots() is done. All waiting is done by the GPU.
class Targets {
public:
    /// Takes the pixels out of the photographs. They stay on the GPU if they need at most `deviceBytes` there, or no more than the slots.
    Targets(gpu::Device& device, std::span<Photograph> photographs, uint64_t deviceBytes);
    ~Targets();
    Targets(const Targets&) = delete;
    Targets& operator=(const Targets&) = delete;

    /// What the fourth byte says: that of all photographs, 255 where one has no more to say.
    Coverage coverage() const { return coverage_; }
    bool resident() const { return slots_.empty(); }
    /// How many places a view's photograph can have, and so how many recordings a view needs; 1 when all are resident.
    uint32_t slots() const { return resident() ? 1 : static_cast<uint32_t>(slots_.size()); }
    uint32_t slotOf(uint32_t step) const { return step % slots(); }
    gpu::BufferSlice at(size_t view, uint32_t slot) const;

    /// Sends the view's photograph on its way into the slot; a step that reads it is submitted after the arrival. Never blocks.
    gpu::Arrival fetch(size_t view, uint32_t slot);
    /// The slot is free for another photograph when the ticket is done.
    void release(uint32_t slot, gpu::Ticket ticket);

private:
    struct Slot {
        gpu::Buffer buffer;  ///< as large as the largest photograph
        gpu::Ticket used = 0;
    };

    void keepOnGpu(std::span<Photograph> photographs);
    void keepOnHost(std::span<Photograph> photographs);

    gpu::Device& device_;
    std::vector<gpu::Buffer> buffers_;           ///< on the GPU, or the host's
    std::vector<gpu::BufferSlice> photographs_;  ///< a view
    std::vector<Slot> slots_;
    std::vector<std::optional<gpu::Transfer>> copies_;  ///< [view * slots + slot], recorded when first needed
    gpu::Arrival last_;
    Coverage coverage_;
};

}  // namespace splat
