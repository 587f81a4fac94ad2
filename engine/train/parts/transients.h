#pragma once

#include <optional>

#include <splatwright/train/parts/step_part.h>

namespace splat {

/// Leaves out of the loss what only this photograph shows: areas in which most pixels have larger errors than a given share of the photograph's and than a given least one
/// (RobustNeRF, Sabour et al. 2023, with its three votes: the pixel, its 3x3 neighbours, and for a block of 8x8 the 16x16 pixels around its
/// middle; one of them keeps a pixel). There the render is compared with itself.
class Transients : public StepPart {
public:
    explicit Transients(const StepPartInputs& inputs);

    uint64_t transientBytes(const FrameCapacity& capacity) const override;
    void makeFrame(gpu::Arena& arena, const FrameCapacity& capacity) override;
    void releaseFrame() override { pixels_.reset(); }

    gpu::BufferSlice recordCompared(gpu::Commands& commands, const StepJob& job) const override;
    /// No gradient from pixels that are left out.
    void recordAfterLoss(gpu::Commands& commands, const StepJob& job) const override;

private:
    struct Pixels {
        gpu::Buffer errors;    ///< float: mean absolute difference of the channels
        gpu::Buffer kept;      ///< uint: 1, or 0 for pixels that are left out
        gpu::Buffer compared;  ///< vec3: the colours, or the photograph's
    };

    uint32_t number_;  ///< of the trusted share in StepParameters::parts
    float least_;      ///< error up to which a pixel is trusted whatever the share
    Coverage coverage_;
    gpu::Buffer histogram_;  ///< uint per bin of errors
    gpu::Buffer limit_;      ///< uint: the last bin with trusted pixels
    std::optional<Pixels> pixels_;
};

}  // namespace splat
