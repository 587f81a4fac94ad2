#include <splatwright/render/demo.h>

#include <splatwright/render/blobs.h>
#include "kernels/demo_backward.h"
#include "kernels/demo_image.h"

namespace splat {

namespace {

template <class Kernel>
void recordTiles(gpu::Commands& c, Kernel kernel, const GaussianModel& model, const FrameBuffers& f, const ViewSelection& view) {
    kernel.frame = f.parameters;
    kernel.activeCount = f.activeCount;
    kernel.views = view.views;
    kernel.tileRanges = f.tileRanges;
    kernel.gaussianFromInstance = Forward::gaussianFromInstance(f);
    kernel.view = view.index;
    kernel.kFaults = model.blobs->demo->faults;
    c.dispatch2D(withBlobs(kernel, model), view.width, view.height);
}

}  // namespace

void recordDemoPicture(gpu::Commands& c, const GaussianModel& model, const FrameBuffers& f, const ViewSelection& view) {
    c.stage("blend");
    recordTiles(c, kernels::demo_image{.colours = f.colours, .transmittances = f.transmittances}, model, f, view);
}

void recordDemoBackward(gpu::Commands& c, const GaussianModel& model, const BackwardJob& job) {
    const kernels::demo_backward kernel{
        .colourGradients = job.colourGradients, .gradientWords = job.buffers.gradients.words(), .kClampGradients = 1};
    recordTiles(c, kernel, model, job.frame, job.view);
}

}  // namespace splat
