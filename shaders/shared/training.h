// Training steps, losses, refinements and their state.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_TRAINING_H
#define SPLAT_SHARED_TRAINING_H

#include "types.h"
#ifdef __cplusplus
#include "frame.h"  // in Slang, the module shared.training imports shared.frame
#endif

SPLAT_SHARED_BEGIN

// Adam's decay rates (Kingma and Ba 2015).
SPLAT_CONSTANT SPLAT_REAL kBeta1 = 0.9;
SPLAT_CONSTANT SPLAT_REAL kBeta2 = 0.999;

// 16 bits per packed moment: the second one's root, and the quotient of the first one and that root.
SPLAT_CONSTANT uint kRootOctaves = 48;             // the least root is 2^-48, the largest almost 2^16: 0.1 % from one to the next
SPLAT_CONSTANT SPLAT_REAL kQuotientUnit = 4096.0;  // quotients are below 7.3 with Adam's decay rates

SPLAT_CONSTANT uint kMaxStages = 32;           // of a step that are timed; the last one is all that happens between two steps
SPLAT_CONSTANT uint kTimedSteps = kMaxStages;  // place of the number of timed steps, after the stages' ticks

/// Streams of random numbers: each use has one of its own (lib/core/random.slang).
SPLAT_CONSTANT uint kExplorationStream = 1;
SPLAT_CONSTANT uint kSplitStream = 2;  // positions of split children
SPLAT_CONSTANT uint kRelocationStream = 3;
SPLAT_CONSTANT uint kGrowthStream = 4;
SPLAT_CONSTANT uint kDivisionStream = 5;  // which Gaussians divide

/// The two highest bits of a parent word are a role (lib/densify/parents.slang).
SPLAT_CONSTANT uint kParentIndexBits = 30;

SPLAT_CONSTANT uint kMortonBits = 30;  // of a position's code

/// Adam's first and second moment.
struct Moments1 {
    float m;
    float v;
};
struct Moments3 {
    float3 m;
    float3 v;
};
struct Moments4 {
    float4 m;
    float4 v;
};
/// Moments of three numbers, 16 bits each, one word per number (lib/train/packed_moments.slang).
struct PackedMoments3 {
    uint3 words;
};

/// Densification statistics of a Gaussian since the last refinement.
struct DensifyStatistics {
    float gradient;  // sum of the lengths of the positional gradient, normalised device units
    float views;     // number of views in which it was visible
    float radius;    // largest, as a fraction of the image's longer side
};

/// A refinement of the model between two steps; zeros while the frame state is halted.
struct Refinement {
    uint before;     // Gaussians that take part
    uint kept;       // Gaussians that stay
    uint requested;  // new Gaussians that clones and splits ask for
    uint fraction;   // of the requested ones that are admitted, in 2^-32; all of them if `all` is 1
    uint all;
    uint after;  // Gaussians of the refined model
    uint seed;   // of this refinement's random numbers
};

/// Words of Refinement, for counts and totals of primitives.
SPLAT_CONSTANT uint kRefinementBefore = 0;
SPLAT_CONSTANT uint kRefinementKept = 1;
SPLAT_CONSTANT uint kRefinementRequested = 2;
SPLAT_CONSTANT uint kRefinementAfter = 5;
SPLAT_CONSTANT uint kRefinementSeed = 6;
#ifdef __cplusplus
static_assert(offsetof(Refinement, before) == 4 * kRefinementBefore && offsetof(Refinement, kept) == 4 * kRefinementKept &&
              offsetof(Refinement, requested) == 4 * kRefinementRequested && offsetof(Refinement, after) == 4 * kRefinementAfter &&
              offsetof(Refinement, seed) == 4 * kRefinementSeed);
#endif

/// Thresholds of the standard recipe's refinement; scales in training units, radii as fractions of the image's longer side.
struct DensifyRules {
    float gradient;
    float scale;
    float radius;
    float pruneOpacity;
    float pruneScale;
    float pruneRadius;
    uint radiusUntil;     // steps
    uint pruneScaleFrom;  // steps
    uint revisedOpacity;
};

/// Refined pose of a training camera relative to the pose in the dataset: camera' = R(rotation) camera + translation.
struct PoseOffset {
    float3 translation;  // training units
    float3 rotation;     // axis-angle, radians
};

// 3D smoothing filter of Mip-Splatting (Yu et al. 2024; the constants of its authors' program).
SPLAT_CONSTANT SPLAT_REAL kFilterVariance = 0.2;  // in squares of the sampling interval
SPLAT_CONSTANT SPLAT_REAL kFilterMargin = 0.15;   // of the image's size: how far outside a view still samples a Gaussian
SPLAT_CONSTANT SPLAT_REAL kLowestRate = 1e-9;     // samples per unit: its squared reciprocal is finite

/// Groups of kernels that sum over pixels or Gaussians in two passes.
SPLAT_CONSTANT uint kReductionGroups = 512;

/// Tiles of the loss kernels in pixels; the forward pass has wide ones, the backward pass high ones.
SPLAT_CONSTANT uint kLossTileLong = 30;
SPLAT_CONSTANT uint kLossTileShort = 4;

/// Meaning of the fourth byte of training images (Coverage in engine/scene/datasets/dataset.h).
SPLAT_CONSTANT uint kCoverageNone = 0;
SPLAT_CONSTANT uint kCoverageAlpha = 1;
SPLAT_CONSTANT uint kCoverageMask = 2;

/// Sums over pixels and channels; the host divides.
struct LossSums {
    float l1;
    float ssim;
    float l2;
};

/// Whether trained changes of colours (exposures, colour grids) act.
struct ColourChanges {
    uint decided;
    uint act;
    float difference;  // of the photographs from the renders, when it was decided
};

SPLAT_CONSTANT uint kMostStepParts = 12;

/// What changes per training step without a new recording: the frame's parameters, and what only training uses.
struct StepParameters {
    FrameParameters frame;
    float lrMeans;
    float lrRotations;
    float lrScales;
    float lrOpacities;
    float lrSh0;
    float lrShRest;
    float biasCorrection1;        // 1 - beta1^t
    float biasCorrection2;        // 1 - beta2^t
    float lrNoise;                // of the noise on the means (MCMC)
    float parts[kMostStepParts];  // a number per row of the table of step parts: a learning rate or a weight
    uint photograph;              // first pixel of the training image in its buffer
};
SPLAT_CONSTANT uint kStepWords = 26;
#ifdef __cplusplus
static_assert(sizeof(StepParameters) == kStepWords * sizeof(uint) && offsetof(StepParameters, frame) == 0);
#endif

/// Progress of training, on the GPU.
struct TrainingState {
    uint step;      // steps done
    uint serial;    // steps submitted, no-ops included
    uint unusable;  // Gaussians that the current step left with numbers that are not finite
};

/// Averages of the parameters over the last steps.
struct AverageState {
    uint states;    // that have been averaged
    uint complete;  // 1: the averages are the parameters, and what follows is another average
};

/// A time stamp or a sum of them, 64 bits.
struct Ticks {
    uint low;
    uint high;
};

/// Status of a step, read by the host some steps later.
struct StepStatus {
    uint step;  // steps done, this one included
    uint halted;
    uint instancesNeeded;
    uint bucketsNeeded;
    uint gaussiansNeeded;
    uint gaussians;
    uint unusable;  // of those, with numbers that are not finite
    uint visible;
    uint instances;
};

SPLAT_SHARED_END

#endif
