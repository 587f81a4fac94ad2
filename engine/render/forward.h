#pragma once

#include <functional>

#include <splatwright/render/frame.h>
#include <splatwright/render/frame_scans.h>
#include <splatwright/render/model.h>

namespace splat {

/// A value of splats that blending carries beside colours, like a colour over black: up to shared::kMostCarried numbers. Another one is a constant here and in shaders/shared/frame.h, and
/// a function with its case in shaders/lib/model/carried_value.slang.
enum class CarriedValue : uint32_t {
    nothing = shared::kCarriesNothing,
    inverseDepth = shared::kCarriesInverseDepth,  ///< 1 / camera z
    normal = shared::kCarriesNormal,              ///< in the camera's frame, towards it; of splats, so blended ones are shorter than 1
};

/// How many numbers it has.
constexpr uint32_t numbersOf(CarriedValue value) { return static_cast<uint32_t>(value) & 3; }

/// Which view of the views buffer a recording draws.
struct ViewSelection {
    gpu::BufferSlice views;  ///< shared::ViewParameters
    uint32_t index = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    CarriedValue carried = CarriedValue::nothing;  ///< also blends FrameBuffers::carried, and propagates its gradient
    float opaqueBelow = 0;                         ///< BlendOptions::opaqueBelow
};

/// What blending does beside blending colours front to back.
struct BlendOptions {
    CarriedValue carried = CarriedValue::nothing;  ///< ViewSelection::carried
    bool summed = false;                           ///< ModelKind::summed
    float opaqueBelow = 0;                         ///< a pixel also stops behind the splat that leaves less transmittance (0 to 1)
};

/// Records the picture of a model: project, sort by depth, list by tile, blend. Counts stay on the GPU; a frame that exceeds a capacity
/// draws the background, marks the frame state as halted and says what it needs.
class Forward {
public:
    using Beside = std::function<void(gpu::Commands&)>;
    static constexpr primitives::BitWindow kDepthWindow{0, 24};  ///< of the depth sort's keys: shaders/lib/blend/depth_step.slang

    Forward(gpu::Device& device, const primitives::RadixSort& sort);

    /// `beside`: records work that the frame does not wait for while it orders tiles, which fills no GPU. It may write to the frame's transient
    /// memory.
    void record(gpu::Commands& commands, const GaussianModel& model, const FrameBuffers& frame, const ViewSelection& view,
                const Beside& beside = {}) const;

    // Its individual passes, for callers that replace one of them.

    /// Opens a frame of as many gaussians as the word says: activeCount and perGaussian, and clears what the lists need. Projection follows, and
    /// writes projected and tileCounts.
    void recordBegin(gpu::Commands& commands, gpu::BufferSlice gaussianCount, const FrameBuffers& frame) const;
    /// What was projected, listed by tile and front to back: tileRanges and gaussianFromInstance(). Once after each recordBegin(), which clears the
    /// counters.
    void recordLists(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size, ListOrder order = ListOrder::depth) const;
    /// Its two halves, for callers that look at instances() between them: in the order of emission, then by tile.
    void recordEmitted(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size, ListOrder order = ListOrder::depth) const;
    void recordSorted(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size) const;
    void recordBlend(gpu::Commands& commands, const FrameBuffers& frame, glm::uvec2 size, const BlendOptions& options = {},
                     const Beside& beside = {}) const;

    /// The tile sort's buffers: tile ids and gaussians. Instances are emitted into side A.
    static primitives::SortBuffers instances(const FrameBuffers& frame);
    /// Where the tile sort leaves each instance's gaussian.
    static gpu::BufferSlice gaussianFromInstance(const FrameBuffers& frame);

private:
    gpu::Device* device_;
    const primitives::RadixSort* sort_;
    FrameScans scans_;
};

}  // namespace splat
