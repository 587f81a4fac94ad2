#include <splatwright/render/accumulate/inputs.h>
#include "kernels/blend_backward_tree_cas.h"
#include "kernels/count_additions_tree.h"

namespace splat {

namespace {

template <class Kernel>
void recordTree(gpu::Device&, gpu::Commands& c, const BackwardJob& job) {
    const Kernel kernel{.gradientWords = job.buffers.gradients.words(),
                        .blendWords = job.buffers.blendSums.words(),
                        .kClampGradients = job.clampGradients ? 1u : 0u};
    c.dispatch2D(withInputs(kernel, job), job.view.width, job.view.height);
}

}  // namespace

extern const AccumulationRow kTreeCas{
    .name = "tree-cas",
    .help = "one thread per pixel, groupshared tree per splat, compare-and-swap sums; slow, but needs no optional feature",
    .record = recordTree<kernels::blend_backward_tree_cas>,
    .count = recordTree<kernels::count_additions_tree>,
};

}  // namespace splat
