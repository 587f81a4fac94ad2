#include <splatwright/render/accumulate/inputs.h>
#include "kernels/blend_backward_tree_cas.h"

namespace splat {

extern const AccumulationRow kTreeCas{
    .name = "tree-cas",
    .help = "one thread per pixel, groupshared tree per splat, compare-and-swap sums; slow, but needs no optional feature",
    .record =
        [](gpu::Device&, gpu::Commands& c, const BackwardJob& job) {
            const kernels::blend_backward_tree_cas kernel{.gradientWords = job.buffers.gradients.words(),
                                                          .blendWords = job.buffers.blendSums.words(),
                                                          .kClampGradients = job.clampGradients ? 1u : 0u};
            c.dispatch2D(withInputs(kernel, job), job.view.width, job.view.height);
        },
};

}  // namespace splat
