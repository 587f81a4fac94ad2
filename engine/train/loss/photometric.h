#pragma once

#include <cstdint>

#include <splatwright/gpu/buffer.h>
#include <splatwright/gpu/commands.h>
#include <splatwright/gpu/device.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/shared/training.h>

namespace splat {

/// Intermediate buffers of the loss kernels, allocated for the largest image.
struct LossScratch {
    uint32_t maxWidth;
    uint32_t maxHeight;
    gpu::Buffer byMeanAndProduct;  ///< float2: derivatives of each window's SSIM, column by column
    gpu::Buffer byDifferences;     ///< float: likewise, by the mean of (x - y)^2
    gpu::Buffer tileSums;          ///< shared::LossSums per tile

    /// For images up to this width and height. The sums have separate memory, so that summing them needs no barrier.
    LossScratch(gpu::Device& device, gpu::Arena& arena, uint32_t maxWidth, uint32_t maxHeight);
    /// Bytes of the arena that it needs: about 36 per pixel.
    static uint64_t bytes(uint32_t maxWidth, uint32_t maxHeight);
};

struct LossInputs {
    gpu::BufferSlice colour;  ///< float3 per pixel: the render, not negative, not clamped
    gpu::BufferSlice target;  ///< uint per pixel: training images, RGBA8 with red in the low byte
    uint32_t width = 0;
    uint32_t height = 0;
    float ssimLambda = 0.2F;
    float l2Share = 0;                   ///< of what is not SSIM; L1 has the rest
    gpu::BufferSlice step;               ///< shared::StepParameters: first pixel of the image in `target`, and background
    Coverage coverage = Coverage::none;  ///< meaning of the target's fourth byte
};

struct LossOutputs {
    gpu::BufferSlice gradient;  ///< float3 per pixel, overwritten: derivative of the loss by colour
    gpu::BufferSlice sums;      ///< float: receives L1, SSIM and L2, summed over pixels and channels, from [firstSum]
    uint32_t firstSum = 0;
};

/// Records L = (1 - lambda) * ((1 - l2Share) * L1 + l2Share * L2) + lambda * (1 - SSIM) and its gradient. L1, L2 (the squared difference) and SSIM
/// are means over pixels and channels; without a lambda SSIM is not computed. SSIM has an 11x11 Gaussian window of sigma 1.5 with zeros outside the image. A mask blends the render towards the training image before comparison.
/// Reruns are bit-identical.
void recordPhotometricLoss(gpu::Commands& commands, const LossInputs& inputs, const LossScratch& scratch, const LossOutputs& outputs);

}  // namespace splat
