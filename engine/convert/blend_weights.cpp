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

/// Splats on the device, whose weights grow to the largest of the views that are drawn.
class Weigher {
public:
    Weigher(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& gaussians)
        : device_(device),
          model_(device, static_cast<uint32_t>(gaussians.count())),
          weights_(device.buffer<float>("largest blending weights", gaussians.count())),
          count_(gaussians.count()),
          renderer_(device, sort) {
        model_.upload(device, shapesOf(gaussians));
        clear();
    }

    void clear() { device_.upload(weights_, std::vector<float>(count_)); }
    void draw(const Camera& view) {
        const glm::uvec2 size(view.width, view.height);
        renderer_.draw(model_, view, {.background = glm::vec3(0), .shDegree = 0}, [&](gpu::Commands& c, const FrameBuffers& f) {
            c.stage("weigh");
            c.dispatchGroups(kernels::weigh_splats{.weights = weights_,
                                                   .tileRanges = f.tileRanges,
                                                   .gaussianFromInstance = Forward::gaussianFromInstance(f),
                                                   .projected = f.projected,
                                                   .size = size},
                             tileGrid(size.x, size.y).count());
        });
    }
    std::vector<float> weights() const { return device_.download<float>(weights_, count_); }

private:
    gpu::Device& device_;
    GaussianModel model_;
    gpu::Buffer weights_;
    size_t count_;
    Renderer renderer_;
};

}  // namespace

std::vector<float> largestBlendWeights(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& gaussians,
                                       std::span<const Camera> views) {
    if (gaussians.count() == 0) return {};
    Weigher weigher(device, sort, gaussians);
    for (const Camera& view : views) weigher.draw(view);
    return weigher.weights();
}

std::vector<uint32_t> viewsShowing(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& gaussians,
                                   std::span<const Camera> views, float least) {
    if (gaussians.count() == 0) return {};
    Weigher weigher(device, sort, gaussians);
    std::vector<uint32_t> counts(gaussians.count());
    for (const Camera& view : views) {
        weigher.clear();
        weigher.draw(view);
        const std::vector<float> weights = weigher.weights();
        for (size_t i = 0; i < counts.size(); ++i) counts[i] += weights[i] >= least ? 1u : 0u;
    }
    return counts;
}

}  // namespace splat
