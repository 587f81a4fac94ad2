#include <splatwright/render/accumulate/inputs.h>
#include "kernels/blend_backward_subtile.h"
#include "kernels/blend_backward_subtile_shared.h"
#include "kernels/blend_backward_subtile_shared_cas.h"
#include "kernels/count_additions_subtile.h"
#include "kernels/count_additions_subtile_shared.h"

namespace splat {

namespace {

void recordSubtile(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    const gpu::BufferSlice sums = job.buffers.gradients.words();
    const gpu::BufferSlice blend = job.buffers.blendSums.words();
    if (device.runs(kernels::blend_backward_subtile::info())) {
        recordTiles(c, kernels::blend_backward_subtile{.gradientFloats = sums, .blendFloats = blend}, job, shared::kSubtiles);
    } else if (device.has(gpu::Feature::floatAtomics)) {
        recordTiles(c, kernels::blend_backward_subtile_shared{.gradientFloats = sums, .blendFloats = blend}, job);
    } else {
        recordTiles(c, kernels::blend_backward_subtile_shared_cas{.gradientWords = sums, .blendWords = blend}, job);
    }
}

void countSubtile(gpu::Device& device, gpu::Commands& c, const BackwardJob& job) {
    const gpu::BufferSlice sums = job.buffers.gradients.words();
    const gpu::BufferSlice blend = job.buffers.blendSums.words();
    if (device.runs(kernels::blend_backward_subtile::info())) {
        recordTiles(c, kernels::count_additions_subtile{.gradientWords = sums, .blendWords = blend}, job, shared::kSubtiles);
    } else {
        recordTiles(c, kernels::count_additions_subtile_shared{.gradientWords = sums, .blendWords = blend}, job);
    }
}

}  // namespace

extern const AccumulationRow kSubtile{
    .name = "subtile",
    .help = "one thread per pixel; 8x4 pixels are reduced in groupshared memory, then added atomically",
    .record = recordSubtile,
    .count = countSubtile,
    .withSubgroups = infosOf<kernels::blend_backward_subtile>,
};

}  // namespace splat
