#pragma once

#include <cstdint>

#include <splatwright/gpu/buffer.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/gpu/device.h>
#include <splatwright/scene/dataset.h>
#include <splatwright/shared/training.h>

namespace splat {

/// What the loss keeps between its kernels: made once for the largest image, lent to every recording.
struct LossScratch {
    uint32_t maxWidth;
    uint32_t maxHeight;
    gpu::Buffer byMeanAndProduct;  ///< float2: derivatives of each window's SSIM; one plane a channel
    gpu::Buffer byDifferences;     ///< float: likewise
    gpu::Buffer tileSums;          ///< shared::LossSums, one a tile and channel

    /// Any image of at most this width and height fits. The sums have memory of their own, so that adding them up waits for nothing else.
    LossScratch(gpu::Device& device, gpu::Arena& arena, uint32_t maxWidth, uint32_t maxHeight);
    /// What it takes of the parts: 36 a pixel and a little.
    static uint64_t bytes(uint32_t maxWidth, uint32_t maxHeight);
};

struct LossInputs {
    gpu::BufferSlice colour;  ///< float3 a pixel: the render, linear, 0 and up, not clamped
    gpu::BufferSlice target;  ///< uint a pixel: photographs, RGBA8 with red in the low byte
    uint32_t width = 0;
    uint32_t height = 0;
    float ssimLambda = 0.2F;
    gpu::BufferSlice step;               ///< shared::StepParameters: where in the target the photograph begins, and what lies behind it
    Coverage coverage = Coverage::none;  ///< what the target's fourth byte says
};

struct LossOutputs {
    gpu::BufferSlice gradient;  ///< float3 a pixel, overwritten: derivative of the loss by colour
    gpu::BufferSlice sums;      ///< float: L1 and SSIM summed over pixels and channels go to [firstSum] and the next
    uint32_t firstSum = 0;
};

/// Records L = (1 - lambda) * L1 + lambda * (1 - SSIM) and its gradient. L1 and SSIM are means over pixels and channels; SSIM looks through
/// an 11x11 Gaussian window of sigma 1.5 with zeros outside the image. A masked pixel compares mask * render + (1 - mask) * photograph with the
/// photograph. No atomics: reruns are bit-identical.
void recordPhotometricLoss(gpu::Commands& commands, const LossInputs& inputs, const LossScratch& scratch, const LossOutputs& outputs);

}  // namespace splat
