#include <splatwright/train/densify/division.h>

#include "kernels/admit_new_gaussians.h"
#include "kernels/index_gaussians.h"
#include "kernels/shape_children.h"
#include "kernels/split_long_axis.h"

namespace splat {

void Division::recordScan(gpu::Commands& c, const RefineJob& job, gpu::BufferSlice flags, uint32_t total) const {
    const primitives::Count before{job.frame.capacity.gaussians, RefinementTools::word(job, shared::kRefinementBefore)};
    job.tools.scan.record(c, {flags, flags, RefinementTools::word(job, total), job.tools.scanScratch}, before);
}

void Division::recordKept(gpu::Commands& c, const RefineJob& job) const { recordScan(c, job, kept(job), shared::kRefinementKept); }

void Division::recordAdmission(gpu::Commands& c, const RefineJob& job) const {
    recordScan(c, job, requested(job), shared::kRefinementRequested);
    c.dispatchGroups(kernels::admit_new_gaussians{.state = job.frame.state,
                                                  .refinement = job.refinement,
                                                  .perBefore = job.tools.perBefore,
                                                  .perAfter = job.tools.perAfter,
                                                  .limit = job.limit,
                                                  .capacity = job.store.model.capacity},
                     1);
}

void Division::recordPlaces(gpu::Commands& c, const RefineJob& job, bool sorted) const {
    const kernels::index_gaussians kernel{.refinement = job.refinement,
                                          .decisions = decisions(job),
                                          .keptBefore = kept(job),
                                          .requestedBefore = requested(job),
                                          .parents = RefinementTools::parents(job),
                                          .codes = RefinementTools::codes(job)};
    c.dispatchIndirect(withModel(kernel, job.store.model), job.tools.perBefore);
    if (sorted) job.tools.recordSortByPlace(c, job);
    job.tools.recordPermutation(c, job);
}

void Division::recordChildren(gpu::Commands& c, const RefineJob& job, bool revised) const {
    const gpu::BufferSlice parents = RefinementTools::parents(job);
    if (longAxisSplit_) {
        c.dispatchIndirect(withModel(kernels::split_long_axis{.refinement = job.refinement, .parents = parents}, job.store.model),
                           job.tools.perAfter);
    } else {
        const kernels::shape_children kernel{.refinement = job.refinement, .parents = parents, .revisedOpacity = revised ? 1u : 0u};
        c.dispatchIndirect(withModel(kernel, job.store.model), job.tools.perAfter);
    }
}

}  // namespace splat
