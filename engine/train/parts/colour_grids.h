#pragma once

#include <splatwright/train/parts/step_part.h>

namespace splat {

/// A bilateral grid of 3x4 colour matrices per view, initially identities, optimised by Adam (Wang et al. 2024; sizes and rates as in gsplat).
/// A pixel's matrix is interpolated by its position and its grey value. Applied between blend and loss during training only, without what the
/// grids of all views have in common: the mean of a cell's matrices over the pixels that use them is the identity.
class ColourGrids : public StepPart {
public:
    /// The settings may change in place; `number`: of the learning rate in StepParameters::parts.
    ColourGrids(gpu::Device& device, const TrainSettings& settings, size_t views, uint32_t pixels, uint32_t number);

    gpu::BufferSlice recordColours(gpu::Commands& commands, const StepJob& job) const override;
    /// The total variation of the view's grid.
    void recordLoss(gpu::Commands& commands, const StepJob& job, gpu::BufferSlice sums, uint32_t first) const override;
    /// dL by the corrected colours -> dL by the render in place, and the gradient of the view's grid, summed in a fixed order, with that of the total
    /// variation.
    void recordAfterLoss(gpu::Commands& commands, const StepJob& job) const override;
    /// The view's step of Adam.
    void recordAfterUpdate(gpu::Commands& commands, const StepJob& job) const override;
    std::vector<std::pair<std::string, const gpu::Buffer*>> state() const override;

    /// A view's grid before it is centred: float4, three rows per cell.
    gpu::BufferSlice grid(uint32_t view) const;
    /// Of the view that was applied last.
    gpu::BufferSlice centred() const { return centred_; }

private:
    const TrainSettings& settings_;
    uint32_t number_;
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
