#include <splatwright/render/accumulate/inputs.h>
#include "kernels/blend_backward_subtile_fixed.h"
#include "kernels/blend_backward_subtile_shared_fixed.h"
#include "kernels/round_blend_sums.h"
#include "kernels/round_gradients.h"

namespace splat {

namespace {

void recordFixedPoint(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    const gpu::Buffer& sums = job.buffers.fixedSums;
    const gpu::BufferSlice blend = job.buffers.fixedBlendSums.words();
    if (device.runs(kernels::blend_backward_subtile_fixed::info())) {
        recordTiles(c, kernels::blend_backward_subtile_fixed{.gradientSums = sums.words(), .blendFixed = blend}, job, shared::kSubtiles);
    } else {
        recordTiles(c, kernels::blend_backward_subtile_shared_fixed{.gradientHalves = sums.words(), .blendHalves = blend}, job);
    }
    c.dispatchIndirect(kernels::round_gradients{.visibleCount = f.visibleCount,
                                                .gaussianFromVisible = f.gaussianFromVisible,
                                                .projected = f.projected,
                                                .sums = sums,
                                                .gradients = job.buffers.gradients,
                                                .kAbsolute = job.absolute ? 1u : 0u,
                                                .kCarried = static_cast<uint32_t>(job.view.carried)},
                       f.perVisible);
    if (job.sums == BlendSumsKind::none) return;
    c.dispatchIndirect(kernels::round_blend_sums{.visibleCount = f.visibleCount,
                                                 .gaussianFromVisible = f.gaussianFromVisible,
                                                 .sums = job.buffers.fixedBlendSums,
                                                 .blendSums = job.buffers.blendSums},
                       f.perVisible);
}

}  // namespace

extern const AccumulationRow kFixedPoint{
    .name = "fixed-point",
    .help = "like subtile, but sums 64-bit integers: reruns are bit-identical",
    .deterministic = true,
    .record = recordFixedPoint,
    .withSubgroups = infosOf<kernels::blend_backward_subtile_fixed>,
};

}  // namespace splat
