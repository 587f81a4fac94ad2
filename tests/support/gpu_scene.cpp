#include "support/gpu_scene.h"

#include <algorithm>

#include <splatwright/render/backward.h>
#include "support/test_device.h"

namespace splat {

const primitives::RadixSort& testSort() {
    static const primitives::RadixSort sort(testDevice());
    return sort;
}

namespace {

FrameCapacity capacityFor(const GaussianModel& model, const Camera& camera, uint32_t instances, uint32_t buckets) {
    FrameCapacity c{.gaussians = model.capacity,
                    .instances = instances,
                    .buckets = buckets,
                    .width = static_cast<uint32_t>(camera.width),
                    .height = static_cast<uint32_t>(camera.height),
                    .carriedNumbers = shared::kMostCarried,
                    .blendSums = true};
    for (const AccumulationRow* row : accumulationTable())
        c.transientBytes = std::max(c.transientBytes, BackwardBuffers::transientBytes(c, *row));
    return c;
}

}  // namespace

GpuScene::GpuScene(gpu::Device& device, const Gaussians& gaussians, const Camera& camera, glm::vec3 background, uint32_t instances,
                   uint32_t buckets)
    : model(device, static_cast<uint32_t>(gaussians.count())),
      views(device.buffer<shared::ViewParameters>("views", 1)),
      frame(device, capacityFor(model, camera, instances, buckets)),
      width(frame.capacity.width),
      height(frame.capacity.height) {
    model.upload(device, gaussians);
    device.upload(views, std::vector{viewParameters(camera)});
    device.upload(frame.parameters,
                  std::vector{shared::FrameParameters{.shDegree = static_cast<uint32_t>(gaussians.shDegree), .background = background}});
}

ViewSelection GpuScene::selection() const { return {views, 0, width, height}; }

}  // namespace splat
