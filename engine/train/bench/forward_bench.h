#pragma once

#include <splatwright/primitives/bench.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/evaluate/evaluate.h>

namespace splat {

/// Times the picture of a training image's view: projection, sorts, tile lists and blend. The row counts Gaussians. A picture is not timed unless
/// it is finite, not empty, and equals the one by another variant of the sort bit for bit. The note is its PSNR to the training image.
primitives::BenchRow benchForward(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model,
                                  const Photograph& photograph, const primitives::BenchOptions& options = {});

}  // namespace splat
