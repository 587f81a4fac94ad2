#pragma once

#include <cstdint>
#include <span>

#include <splatwright/gpu/commands.h>
#include <splatwright/render/forward.h>
#include <splatwright/shared/frame.h>

namespace splat {

/// What the GPU reports about one frame.
struct FrameCounts {
    shared::FrameState state;
    uint32_t visible = 0;    ///< Gaussians
    uint32_t instances = 0;  ///< pairs of a Gaussian and a tile
    float low = 0, high = 0;
    bool hasRange = false;                  ///< low and high are the smallest and largest value of the frame
    std::span<const uint32_t> modelCounts;  ///< Gaussians by model id
};

/// Host-visible copies of what frames report, one slot per frame in flight.
class FrameReadback {
public:
    FrameReadback() = default;
    FrameReadback(gpu::Device& device, uint32_t slots, uint32_t modelIds);

    /// Copies the counts at the end of a frame. range: two words, bits of the smallest and the largest value.
    void record(gpu::Commands& commands, uint32_t slot, const FrameBuffers& frame, gpu::BufferSlice range,
                const gpu::Buffer& modelCounts) const;
    /// Valid until the slot's next frame is submitted; its last one must be done.
    FrameCounts read(size_t slot) const;

private:
    /// Offsets in a slot, in words; from `counts` on there is one word per model id.
    struct Words {
        static constexpr size_t state = 0;
        static constexpr size_t visible = sizeof(shared::FrameState) / sizeof(uint32_t);
        static constexpr size_t instances = visible + 1;
        static constexpr size_t range = instances + 1;
        static constexpr size_t counts = range + 2;
    };

    size_t firstWord(size_t slot) const { return slot * (Words::counts + modelIds_); }

    gpu::Buffer words_;
    uint32_t modelIds_ = 0;
};

}  // namespace splat
