#pragma once

#include <string>
#include <utility>
#include <vector>

#include <splatwright/render/forward.h>
#include <splatwright/shared/training.h>
#include <splatwright/train/views/colour_grid_settings.h>

namespace splat {

/// A bilateral grid of 3x4 colour matrices per view, initially identities, optimised by Adam (Wang et al. 2024; sizes and rates as in gsplat).
/// A pixel's matrix is interpolated by its position and its grey value. Applied between blend and loss during training only, without what the
/// grids of all views have in common: the mean of a cell's matrices over the pixels that use them is the identity.
class ColourGrids {
public:
    ColourGrids(gpu::Device& device, const ColourGridSettings& settings, size_t views, uint32_t pixels);

    /// Records the view's centred() grid, and colours -> corrected(), both float3 per pixel.
    void recordApply(gpu::Commands& commands, const ViewSelection& view, gpu::BufferSlice colours) const;
    gpu::BufferSlice corrected() const { return corrected_; }
    /// Of the view that was applied last: float4, three rows per cell.
    gpu::BufferSlice centred() const { return centred_; }
    /// Records dL/dcorrected -> dL/dcolour in place, and the gradient of the view's grid, summed in a fixed order, with that of the total variation
    /// times a weight.
    void recordGradient(gpu::Commands& commands, const ViewSelection& view, gpu::BufferSlice colours, gpu::BufferSlice gradients,
                        float variationWeight) const;
    /// Records the view's step of Adam; a no-op while the frame state is halted.
    void recordStep(gpu::Commands& commands, const ViewSelection& view, const FrameBuffers& frame, gpu::BufferSlice step) const;

    /// A view's grid before it is centred: float4, three rows per cell.
    gpu::BufferSlice grid(uint32_t view) const;
    glm::uvec3 cells() const { return cells_; }

    /// Persistent buffers for checkpoints, with their names.
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const;

private:
    glm::uvec3 cells_;
    uint32_t cellCount_;
    uint32_t rows_;   ///< of a grid
    uint32_t pitch_;  ///< rows from one view's grid to the next, such that kernels can bind each
    gpu::Buffer grids_;
    gpu::Buffer moments_;        ///< shared::Moments4, as the grids
    gpu::Buffer corrections_;    ///< vec2 per view: 1 - beta^t of both moments
    gpu::Buffer viewUses_;       ///< float per view and cell: the share of the image that used it in the view's last step
    gpu::Buffer sums_, totals_;  ///< per row what all views' grids add to the identity, by use; per cell their uses
    gpu::Buffer corrected_, centred_, gradients_, uses_;
};

}  // namespace splat
