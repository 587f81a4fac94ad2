#pragma once

#include <splatwright/render/backward.h>

namespace splat {

/// The kernel with the buffers that every backward kernel reads.
template <class Kernel>
Kernel withInputs(Kernel k, const BackwardJob& job) {
    const FrameBuffers& f = job.frame;
    k.tileRanges = f.tileRanges;
    k.gaussianFromInstance = Forward::gaussianFromInstance(f);
    k.projected = f.projected;
    k.colours = f.colours;
    k.colourGradients = job.colourGradients;
    k.lastContributors = f.lastContributors;
    k.tileLast = f.tileLast;
    k.size = {job.view.width, job.view.height};
    k.pixelValues = job.pixelValues ? job.pixelValues : job.colourGradients;
    k.pixelValues.stride = 0;  // where no values are read, any words do
    k.kAbsolute = job.absolute ? 1u : 0u;
    k.kBlendSums = static_cast<uint32_t>(job.sums);
    k.kCarried = static_cast<uint32_t>(job.view.carried);
    k.kSummed = job.model.kind.summed ? 1u : 0u;
    if constexpr (requires { k.carriedGradients; }) {
        k.carried = f.carried;
        k.carriedGradients = job.carriedGradients ? job.carriedGradients : gpu::BufferSlice(f.carried);
        k.splatValues = f.splatValues;
    }
    return k;
}

/// AccumulationRow::withSubgroups.
template <class... Kernels>
std::vector<const gpu::KernelInfo*> infosOf() {
    return {&Kernels::info()...};
}

/// Records a kernel that takes a tile in one or more groups.
template <class Kernel>
void recordTiles(gpu::Commands& c, const Kernel& kernel, const BackwardJob& job, uint32_t groupsPerTile = shared::kGroupsPerTile) {
    Kernel k = withInputs(kernel, job);
    k.tileOrder = job.frame.tileOrder;
    c.dispatchGroups(k, uint64_t{groupsPerTile} * tileGrid(job.view.width, job.view.height).count());
}

}  // namespace splat
