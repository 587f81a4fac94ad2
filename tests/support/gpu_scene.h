#pragma once

#include <splatwright/gpu/device.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/forward.h>
#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// The sort of the test device, self-tested once.
const primitives::RadixSort& testSort();

/// A model, one view and the frame that draws it, with room for everything.
struct GpuScene {
    GpuScene(gpu::Device& device, const Gaussians& gaussians, const Camera& camera, glm::vec3 background, uint32_t instances = 1u << 16u,
             uint32_t buckets = 1u << 12u);

    ViewSelection selection() const;

    GaussianModel model;
    gpu::Buffer views;
    FrameBuffers frame;
    uint32_t width, height;
};

}  // namespace splat
