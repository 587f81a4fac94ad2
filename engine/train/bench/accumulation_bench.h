#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <splatwright/primitives/bench.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/render/lane_counts.h>
#include <splatwright/scene/photographs/photographs.h>
#include <splatwright/train/evaluate/evaluate.h>

namespace splat {

/// One accumulation method, at one threshold if it is balanced, on one view.
struct AccumulationRun {
    std::string method;
    std::optional<uint32_t> threshold;  ///< BackwardJob::balanceThreshold, in eighths of a subgroup
    double error = 0;                   ///< largest relative difference of a kind of gradient (L2) from the reference method
    primitives::BenchRow times;         ///< of the backward pass; zeros if it was not verified, or skipped
    std::optional<uint64_t> additions;  ///< atomic additions of one pass, for methods that count them
};

/// All methods on one view.
struct AccumulationBench {
    std::string view;
    uint32_t width = 0;
    uint32_t height = 0;
    uint64_t instances = 0;  ///< pairs of a splat and a tile
    LaneCounts lanes;        ///< empty if the device has no subgroups to count
    std::vector<AccumulationRun> runs;
};

/// The largest relative L2 difference of a kind of gradient, over Gaussians with tiles; NaN if one is. `found`, `expected`: rows of
/// shared::SplatGradient, of which inverse depths are ignored, and absolute gradients unless they are wanted.
double gradientError(std::span<const float> found, std::span<const float> expected, std::span<const uint32_t> tileCounts,
                     bool absolute = false);

/// Renders a training image's view, differentiates the photometric loss, and times the blend's backward pass by each row of the accumulation
/// table, balanced rows at each threshold; `absolute` sums absolute gradients (AbsGS) as well. A result that differs from that of tree-cas by
/// more than 0.1 % is not timed, and methods whose time on the image at 1/8 of its size predicts more than `mostMs` are skipped. Throws InputError
/// if the model is larger than a method can train.
AccumulationBench benchAccumulation(gpu::Device& device, const primitives::RadixSort& sort, const EvaluatedModel& model,
                                    Photograph photograph, const primitives::BenchOptions& options = {}, bool absolute = false);

}  // namespace splat
