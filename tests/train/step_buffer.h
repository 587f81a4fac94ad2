#pragma once

#include <vector>

#include <splatwright/gpu/device.h>
#include <splatwright/shared/training.h>

namespace splat {

/// A buffer of one step's parameters.
inline gpu::Buffer stepBuffer(gpu::Device& device, const shared::StepParameters& parameters) {
    gpu::Buffer buffer = device.buffer<shared::StepParameters>("step parameters", 1);
    device.upload(buffer, std::vector{parameters});
    return buffer;
}

}  // namespace splat
