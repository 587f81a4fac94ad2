#pragma once

#include <span>
#include <vector>

#include <splatwright/primitives/bench.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/scene/gaussians/gaussians.h>
#include <splatwright/scene/photographs/photographs.h>

namespace splat {

/// Trains with strategy `default`, but from grey splats and without refinements, and times every 16th step after a warm-up: a row per stage,
/// and one for their sum, `whole`. The rows count Gaussians. Nothing is timed unless the loss falls, over passes of all images. Gaussians and
/// images are in the training frame. Throws Diverged, and InputError if there are more Gaussians than the default method can train.
std::vector<primitives::BenchRow> benchStep(gpu::Device& device, const primitives::RadixSort& sort, const Gaussians& gaussians,
                                            std::vector<Photograph> photographs, const primitives::BenchOptions& options = {});

/// Whether the mean of the last `pass` losses is below that of the first; false for fewer than two passes.
bool lossFalls(std::span<const double> losses, size_t pass);

}  // namespace splat
