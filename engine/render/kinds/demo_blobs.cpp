#include <algorithm>
#include <cmath>

#include <splatwright/render/kinds/blended.h>
#include <splatwright/render/kinds/blobs.h>
#include "kernels/demo_backward.h"
#include "kernels/demo_image.h"

/// The blobs of the Slang playground's gsplat2d-diff (shaders/fit2d/README.md), whose parameters are 0..1. With DemoKernels, the demo's own kernels
/// draw and differentiate them. Those list each tile's blobs by themselves; tiles with more than 256 take the frame's lists.
namespace splat {

namespace {

double smoothed(double parameter) {
    const double x = std::clamp(parameter, 0.0, 1.0);
    return x * x * (3 - 2 * x);
}

DrawnBlob drawnBlob(const Gaussians& g, size_t i, const ModelKind& kind) {
    const glm::dvec3 shape = g.logScales[i], colour = 0.8 * glm::dvec3(g.sh[i]);
    const glm::dvec2 size = kind.size;
    const auto variance = [&](double parameter, double side) { return (smoothed(0.8 * parameter) + 0.005) * 1e-4 * side * side; };
    const double x = variance(shape.x, size.x), y = variance(shape.y, size.y);
    return {.centre = {smoothed(g.means[i].x) * size.x, smoothed(g.means[i].y) * size.y},
            .covariance = {x, std::sqrt(x * y) * (smoothed(0.6 * shape.z) - 0.5) * 1.65, y},
            .colour = {smoothed(colour.x), smoothed(colour.y), smoothed(colour.z)},
            .opacity = smoothed(0.9 * double{g.logitOpacities[i]} + 0.1)};
}

template <class Kernel>
void recordTiles(gpu::Commands& c, Kernel kernel, const GaussianModel& model, const FrameBuffers& f, const ViewSelection& view) {
    kernel.frame = f.parameters;
    kernel.activeCount = f.activeCount;
    kernel.views = view.views;
    kernel.tileRanges = f.tileRanges;
    kernel.gaussianFromInstance = Forward::gaussianFromInstance(f);
    kernel.view = view.index;
    kernel.kFaults = model.kind.demo->faults;
    c.dispatch2D(withBlobs(kernel, model), view.width, view.height);
}

void recordPicture(const Forward& forward, gpu::Commands& c, const PictureJob& job) {
    if (!job.model.kind.demo) return recordBlended(forward, c, job);
    if (job.beside) job.beside(c);
    c.stage("blend");
    recordTiles(c, kernels::demo_image{.colours = job.frame.colours, .transmittances = job.frame.transmittances}, job.model, job.frame,
                job.view);
}

}  // namespace

extern const ModelKindRow kDemoBlobsKind{
    .name = "demo",
    .picture = true,
    .parameters = shared::kDemoBlobs,
    .order = ListOrder::index,
    .has = blobsHave,
    .recordProjection = recordBlobProjection,
    .recordPicture = recordPicture,
    // The gradients of the parameters take the place of those of their splats.
    .recordBackward =
        [](gpu::Device& device, gpu::Commands& c, const AccumulationRow& row, const BackwardJob& job) {
            if (!job.model.kind.demo) return recordAccumulation(device, c, row, job);
            if (job.model.kind.demo->clearsTwice) recordClear(c, row, job.buffers, job.sums);
            const kernels::demo_backward kernel{
                .colourGradients = job.colourGradients, .gradientWords = job.buffers.gradients.words(), .kClampGradients = 1};
            recordTiles(c, kernel, job.model, job.frame, job.view);
        },
    .recordCopy = recordFlattening,
    .staged = stagedBlobs,
    .extent = pictureExtent,
    .drawnBlob = drawnBlob,
};

}  // namespace splat
