#pragma once

#include <splatwright/gpu/commands.h>
#include <splatwright/scene/photographs/photographs.h>

namespace splat {

/// A value per pixel that densification strategies weigh by blending weights.
enum class PixelValue : uint32_t {
    none,
    error,      ///< mean absolute difference of the channels from the training image, 0..1 for colours in 0..1; masked-out pixels have none
    highError,  ///< 1 where that exceeds a threshold, else 0 (FastGS)
    edge,       ///< edge strength of the training image, 0..1 (ImprovedGS); masked-out pixels have none
};

struct PixelValueJob {
    PixelValue kind;
    float errorThreshold = 0;  ///< of PixelValue::highError
    gpu::BufferSlice colour;   ///< float3 per pixel: the render
    gpu::BufferSlice target;   ///< uint per pixel: training images, RGBA8
    uint32_t width = 0;
    uint32_t height = 0;
    gpu::BufferSlice step;  ///< shared::StepParameters: first pixel of the image in `target`, and background
    Coverage coverage = Coverage::none;
    gpu::BufferSlice values;  ///< float per pixel, overwritten
};

void recordPixelValues(gpu::Commands& commands, const PixelValueJob& job);

}  // namespace splat
