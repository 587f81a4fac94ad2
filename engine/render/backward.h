#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <splatwright/render/forward.h>

namespace splat {

struct AccumulationRow;

/// What a backward pass sums over the fragments of each splat beside its gradient: kinds of shared::BlendSums.
enum class BlendSumsKind : uint32_t {
    none = shared::kNoSums,
    weights = shared::kSumsOfWeights,
    values = shared::kSumsOfValues,  ///< BackwardJob::pixelValues
    errors = shared::kSumsOfErrors,  ///< of gradient by opacity times the pixel's largest colour gradient (LiteGS)
};

/// Outputs of the blend's backward pass: gradients of projected splats.
struct BackwardBuffers {
    /// Large buffers are allocated from the frame's transient memory.
    BackwardBuffers(gpu::Device& device, const FrameCapacity& capacity, const AccumulationRow& row, gpu::Arena& transient);
    static uint64_t transientBytes(const FrameCapacity& capacity, const AccumulationRow& row);

    gpu::Buffer gradients;       ///< shared::SplatGradient per Gaussian; undefined for invisible ones
    gpu::Buffer fixedSums;       ///< the same sums as 64-bit integers, for rows that need them: shaders/lib/blend/fixed_point.slang
    gpu::Buffer blendSums;       ///< shared::BlendSums per Gaussian, undefined for invisible ones; one unused row if none are wanted
    gpu::Buffer fixedBlendSums;  ///< the same as 64-bit integers
    gpu::Buffer updateCount;
    gpu::Buffer perBucket, perUpdate;  ///< group counts
};

struct BackwardJob {
    const GaussianModel& model;
    const FrameBuffers& frame;
    const BackwardBuffers& buffers;
    const ViewSelection& view;
    gpu::BufferSlice colourGradients;  ///< float3 per pixel: dL/dcolour
    bool clampGradients = false;       ///< clamp each pixel's gradient to +-10; tree-cas only
    /// Active lanes from which a subgroup is reduced, in parts of a subgroup (shared::kBalanceParts); balanced rows only. The default is
    /// DISTWAR's: 8 of 32 lanes.
    uint32_t balanceThreshold = 2;
    bool absolute = false;  ///< also sum absolute gradients of the mean (AbsGS)
    BlendSumsKind sums = BlendSumsKind::none;
    bool cleared = false;                    ///< recordClear() has been recorded since the tile sort; else the pass begins with it
    gpu::BufferSlice pixelValues = {};       ///< float per pixel, for BlendSumsKind::values
    gpu::BufferSlice carriedGradients = {};  ///< numbersOf() floats per pixel: dL by the carried value, if the view has one
};

/// A method of summing a splat's gradients over its pixels: a value of --accumulate, a benchmark row and a test parameter. One file defines its row,
/// and the table lists the row's name.
struct AccumulationRow {
    std::string_view name;
    std::string_view help;
    bool deterministic = false;  ///< bit-identical between runs on one device, by fixed-point sums
    bool checkpoints = false;    ///< needs the blend's checkpoints: the frame must have buckets
    bool carries = true;         ///< can propagate gradients of carried values
    bool balanced = false;       ///< depends on BackwardJob::balanceThreshold
    bool baseline = false;       ///< for comparisons: `accumulate=auto` never chooses it
    /// Adds to the sums, which recordClear() has zeroed.
    void (*record)(gpu::Device& device, gpu::Commands& commands, const BackwardJob& job);
    /// Counts the atomic additions of record() per gradient word, as integers there; null for methods that do not.
    void (*count)(gpu::Device& device, gpu::Commands& commands, const BackwardJob& job) = nullptr;
    /// Its kernels with subgroup operations, for the self test; null for methods without.
    std::vector<const gpu::KernelInfo*> (*withSubgroups)() = nullptr;
};

/// Maximum number of Gaussians in training, limited by the bits of an instance and by the device's largest buffer binding.
uint32_t mostGaussians(const gpu::Device& device, const AccumulationRow& row);

std::span<const AccumulationRow* const> accumulationTable();

/// Throws InputError listing the known names.
const AccumulationRow& accumulationByName(std::string_view name);

/// Zeroes what the backward pass adds to. Anywhere between the tile sort, whose memory it takes, and the pass.
void recordClear(gpu::Commands& commands, const AccumulationRow& row, const BackwardBuffers& buffers, BlendSumsKind sums);

/// Records the backward pass of the blend that was last recorded with the same frame buffers.
void recordBackward(gpu::Device& device, gpu::Commands& commands, const AccumulationRow& row, const BackwardJob& job);

}  // namespace splat
