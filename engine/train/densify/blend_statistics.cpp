#include <splatwright/train/densify/blend_statistics.h>

#include "kernels/gather_blend_sums.h"

namespace splat {

void recordGather(gpu::Commands& c, const GatherJob& job) {
    c.dispatchIndirect(kernels::gather_blend_sums{.updateCount = job.backward.updateCount,
                                                  .tileCounts = job.frame.tileCounts,
                                                  .blendSums = job.backward.blendSums,
                                                  .blendStatistics = job.gathered},
                       job.backward.perUpdate);
}

}  // namespace splat
