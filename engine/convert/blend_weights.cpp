#include <splatwright/convert/blend_weights.h>

#include <splatwright/render/renderer.h>
#include "kernels/weigh_splats.h"

namespace splat {

namespace {

/// The splats without their colours, which are no part of a weight.
Gaussians shapesOf(const Gaussians& gaussians) {
    Gaussians shapes;
    shapes.antialiased = gaussians.antialiased;
    shapes.means = gaussians.means;
    shapes.rotations = gaussians.rotations;
    shapes.logScales = gaussians.logScales;
    shapes.logitOpacities = gaussians.logitOpacities;
    shapes.sh.resize(gaussians.count(), glm::vec3(0));
    return shapes;
}

}  // namespace

std::vector<float> largestBlendWeights(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& gaussians,
                                       std::span<const Camera> views) {
    if (gaussians.count() == 0) return {};
    const auto count = static_cast<uint32_t>(gaussians.count());
    GaussianModel model(device, count);
    model.upload(device, shapesOf(gaussians));
    const auto weights = device.buffer<float>("largest blending weights", count);
    device.upload(weights, std::vector<float>(count));
    Renderer renderer(device, sort);
    for (const Camera& view : views) {
        const glm::uvec2 size(view.width, view.height);
        renderer.draw(model, view, {.background = glm::vec3(0), .shDegree = 0}, [&](gpu::Commands& c, const FrameBuffers& f) {
            c.stage("weigh");
            c.dispatchGroups(kernels::weigh_splats{.weights = weights,
                                                   .tileRanges = f.tileRanges,
                                                   .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                                   .projected = f.projected,
                                                   .size = size},
                             tileGrid(size.x, size.y).count());
        });
    }
    return device.download<float>(weights, count);
}

}  // namespace splat
