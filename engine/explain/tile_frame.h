#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <splatwright/explain/tile_list.h>
#include <splatwright/train/evaluate/evaluate.h>

namespace splat::explain {

/// Gaussians as somebody else draws them.
struct DrawnGaussians {
    const GaussianModel& gaussians;
    shared::FrameParameters parameters;
    std::function<void(gpu::Commands&, const PictureJob&)> recordProjection;  ///< into the job's frame
};

/// A picture of a model, drawn once and kept on the device with all that a backward pass needs, for a look into the tile of one pixel. Everything
/// that it tells is read from the renderer's own buffers. Waits for the GPU.
class TileFrame {
public:
    /// Throws InputError for a pixel outside the picture, and for a model that is too large for a backward pass.
    TileFrame(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model, const Camera& camera, glm::uvec2 pixel);
    /// A picture of this size, by a projection of its own.
    TileFrame(gpu::Device& device, const primitives::RadixSort& sort, DrawnGaussians drawn, glm::uvec2 size, glm::uvec2 pixel);

    gpu::Device& device() const { return device_; }
    const GaussianModel& gaussians() const { return drawn_.gaussians; }
    const FrameBuffers& frame() const { return *frame_; }
    ViewSelection view() const { return {views_, 0, tile_.size.x, tile_.size.y}; }
    const shared::FrameParameters& parameters() const { return drawn_.parameters; }
    /// The tile's list after the sorts.
    const TileList& tile() const { return tile_; }
    const std::vector<ListedSplat>& list() const { return tile_.splats; }
    glm::uvec2 size() const { return tile_.size; }
    /// The tile's instances before the tile sort, by their place among those of all tiles.
    const std::vector<shared::EmittedInstance>& emitted() const { return emitted_; }
    /// Instances of all tiles.
    uint32_t instances() const { return instances_; }

private:
    struct Prepared {
        DrawnGaussians drawn;
        glm::uvec2 size{0};
        gpu::Buffer views;
    };

    TileFrame(gpu::Device& device, const primitives::RadixSort& sort, Prepared prepared, glm::uvec2 pixel);
    static Prepared prepared(gpu::Device& device, const EvaluatedModel& model, const Camera& camera);
    void draw();
    bool fits();
    void recordGather(gpu::Commands& commands) const;

    gpu::Device& device_;
    const DrawnGaussians drawn_;
    TileList tile_;
    Forward forward_;
    gpu::Buffer views_, found_, foundCount_;
    std::optional<FrameBuffers> frame_;
    uint32_t instances_ = 0;
    std::vector<shared::EmittedInstance> emitted_;
};

}  // namespace splat::explain
