#pragma once

#include <vector>

#include "gpu/device.h"
#include "scene/dataset.h"

namespace splat {

/// The photographs on the GPU as RGBA8, one word a pixel with red in the low byte, in as few buffers as the device's binding range allows.
class Targets {
public:
    Targets(gpu::Device& device, const std::vector<Photograph>& photographs);

    gpu::BufferSlice operator[](size_t view) const { return slices_[view]; }

private:
    std::vector<gpu::Buffer> buffers_;
    std::vector<gpu::BufferSlice> slices_;
};

}  // namespace splat
