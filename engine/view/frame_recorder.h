#pragma once

#include <optional>
#include <vector>

#include <splatwright/render/forward.h>
#include <splatwright/view/frame_readback.h>
#include <splatwright/view/percentiles.h>
#include <splatwright/view/render_modes.h>
#include <splatwright/view/world.h>

namespace splat {

/// What the recording of a frame depends on.
struct FramePlan {
    glm::uvec2 size{0};
    const RenderMode* mode = nullptr;
    gpu::BufferSlice groundTruth;  ///< training image to compare with; empty: none
    gpu::BufferSlice backdrop;     ///< picture behind the splats, in the words of the training image; empty: none
    bool picture = false;          ///< World::showsPictures()
    bool summed = false;           ///< World::showsSums()
    uint32_t outline = 0;          ///< width of the line around the selection, pixels; 0: none
    bool orthographic = false;
    bool percentiles = false;  ///< the range of values is that from the 1st to the 99th percentile
    uint64_t kernels = 0;      ///< Device::kernelGeneration()

    bool operator==(const FramePlan& other) const;
};

/// Parameters of one frame.
struct FrameInputs {
    std::vector<shared::ModelView> models;  ///< by model id
    shared::PictureParameters picture;
    shared::FrameParameters frame;
};

/// Owns the buffers that a world is drawn with and records frames into them. Inputs and readback have one slot per frame in flight; on the GPU
/// there is one set of buffers, because frames run one after another.
class FrameRecorder {
public:
    FrameRecorder(gpu::Device& device, const primitives::RadixSort& sort, const World& world, uint32_t slots);

    /// Replaces the buffers for frames of up to `size` and `instances`. The GPU must be done with all recordings, which become invalid.
    void makeFrame(glm::uvec2 size, uint32_t instances);
    /// Enlarges the picture's buffer for `size` if needed, which waits for the device and loses the picture. Returns whether it did.
    bool growPixels(glm::uvec2 size);

    void write(size_t slot, const FrameInputs& inputs);
    gpu::Commands record(uint32_t slot, const FramePlan& plan) const;
    /// Projects into buffers for as many Gaussians as the world's, as the GPU's last frame did. tints: what is selected, too.
    void recordProjection(gpu::Commands& commands, const FramePlan& plan, const FrameBuffers& into, bool tints) const;
    /// What the slot's frame counted; its streamed models learn what it wanted.
    FrameCounts read(size_t slot) const;

    bool hasFrame() const { return frame_.has_value(); }
    const FrameBuffers& frame() const { return *frame_; }
    /// R | G << 8 | B << 16 | A << 24 per pixel.
    const gpu::Buffer& pixels() const { return pixels_; }
    /// shared::ModelView by id, of the GPU's last frame.
    const gpu::Buffer& models() const { return models_; }
    /// shared::PictureParameters of the GPU's last frame.
    const gpu::Buffer& parameters() const { return pictures_; }

private:
    void recordDetails(gpu::Commands& commands, uint32_t slot) const;
    void recordTraversal(gpu::Commands& commands, const FramePlan& plan) const;
    void recordFinish(gpu::Commands& commands, const FramePlan& plan) const;
    void recordRange(gpu::Commands& commands, const FramePlan& plan, gpu::BufferSlice groundTruth) const;
    void recordOutline(gpu::Commands& commands, const FramePlan& plan) const;

    gpu::Device& device_;
    const World& world_;
    uint32_t slots_;
    uint32_t ids_ = 0;  ///< rows of the model tables
    Forward forward_;
    std::optional<FrameBuffers> frame_;
    gpu::Buffer newModels_, newPictures_, newFrames_;  ///< inputs on the host, one per slot
    gpu::Buffer models_, pictures_;
    gpu::Buffer range_;  ///< bits of the smallest and the largest value
    Percentiles percentiles_;
    gpu::Buffer numbers_;  ///< of the pixels, where their percentiles are looked for
    gpu::Buffer pixels_;
    gpu::Buffer selection_;  ///< blending weight of the selected Gaussians per pixel
    FrameReadback readback_;
};

}  // namespace splat
