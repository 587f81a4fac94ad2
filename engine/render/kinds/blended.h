#pragma once

#include <splatwright/render/backward.h>
#include <splatwright/render/kinds/model_kind.h>

/// What the kinds have in common whose splats are blended and differentiated by the frame's lists.
namespace splat {

/// ModelKindRow::recordPicture by Forward::recordBlend().
inline void recordBlended(const Forward& forward, gpu::Commands& commands, const PictureJob& job) {
    forward.recordBlend(commands, job.frame, {job.view.width, job.view.height},
                        {job.view.carried, job.model.kind.summed, job.view.opaqueBelow}, job.beside);
}

/// ModelKindRow::recordBackward by the accumulation method.
inline void recordAccumulation(gpu::Device& device, gpu::Commands& commands, const AccumulationRow& row, const BackwardJob& job) {
    row.record(device, commands, job);
}

/// The kernel with the buffers of a projection.
template <class Kernel>
Kernel withProjection(Kernel kernel, const PictureJob& job) {
    kernel.activeCount = job.frame.activeCount;
    kernel.views = job.view.views;
    kernel.projected = job.frame.projected;
    kernel.tileCounts = job.frame.tileCounts;
    kernel.view = job.view.index;
    return kernel;
}

}  // namespace splat
