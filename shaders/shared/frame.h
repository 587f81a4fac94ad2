// The splatting model, cameras, and what a forward and a backward pass read and write.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_FRAME_H
#define SPLAT_SHARED_FRAME_H

#include "types.h"

SPLAT_SHARED_BEGIN

// Constants of the splatting model (3DGS; gsplat's values where they differ).
SPLAT_CONSTANT SPLAT_REAL kNearPlane = 0.01;         // camera z in world units; nearer splats are culled
SPLAT_CONSTANT SPLAT_REAL kDilation = 0.3;           // square pixels added to the covariance: no splat is thinner than a pixel
SPLAT_CONSTANT SPLAT_REAL kMinAlpha = 1.0 / 255.0;   // below one 8-bit step a splat cannot be seen
SPLAT_CONSTANT SPLAT_REAL kMaxAlpha = 0.99;          // keeps 1 - alpha away from 0 in the backward pass
SPLAT_CONSTANT SPLAT_REAL kMinTransmittance = 1e-4;  // a pixel stops before a splat that would go below
SPLAT_CONSTANT uint kShRest = 15;                    // coefficients of spherical harmonics above degree 0
// Planes of them and of their moments that one buffer holds (engine/render/planar_buffer.h), and the buffers that follow.
SPLAT_CONSTANT uint kShRestPerBuffer = 4;
SPLAT_CONSTANT uint kShRestMomentsPerBuffer = 4;
SPLAT_CONSTANT uint kShRestBuffers = (kShRest + kShRestPerBuffer - 1) / kShRestPerBuffer;
SPLAT_CONSTANT uint kShRestMomentsBuffers = (kShRest + kShRestMomentsPerBuffer - 1) / kShRestMomentsPerBuffer;

SPLAT_CONSTANT uint kTileSize = 16;  // pixels
SPLAT_CONSTANT uint kTilePixels = kTileSize * kTileSize;
SPLAT_CONSTANT uint kBucketSize = 32;                    // splats between two checkpoints; lanes of the bucket backward
SPLAT_CONSTANT uint kSubtiles = 8;                       // of a tile, of 8x4 pixels each
SPLAT_CONSTANT uint kGroupsPerTile = 2;                  // of the backward pass by sub-tiles in lockstep
SPLAT_CONSTANT uint kBalanceParts = 8;                   // of a subgroup's lanes, that a balance threshold counts
SPLAT_CONSTANT uint kLaneCountWords = 130;               // pairs of subgroup and splat by active lanes (0 to 128); with several splats
SPLAT_CONSTANT uint kGradientWords = 14;                 // of SplatGradient, that are summed
SPLAT_CONSTANT uint kGradientRow = 16;                   // words from one to the next: neighbouring words then share a sector of the cache
SPLAT_CONSTANT uint kBlendSumWords = 4;                  // of BlendSums
SPLAT_CONSTANT uint kGaussianBits = 24;                  // of a word of the sorted instances; sub-tile overlap mask above
SPLAT_CONSTANT SPLAT_REAL kFixedOne = 70368744177664.0;  // 2^46: one in the fixed-point sums of gradients

/// A pinhole camera: camera = (dot(right, p), dot(down, p), dot(forward, p)) + translation.
struct ViewParameters {
    float3 right;
    float3 down;
    float3 forward;
    float3 translation;
    float3 position;   // of the camera in the world
    float2 focal;      // pixels
    float2 principal;  // pixels
    float2 ratioMin;   // x/z and y/z are clamped to this range inside the Jacobian only
    float2 ratioMax;
    uint2 size;  // pixels
};

/// What changes per frame without a new recording.
struct FrameParameters {
    uint shDegree;  // active degree
    float3 background;
};
SPLAT_CONSTANT uint kFrameWords = 4;
#ifdef __cplusplus
static_assert(sizeof(FrameParameters) == kFrameWords * sizeof(uint));
#endif

/// Sticky overflow state: once a capacity overflows, frames are no-ops until the host has enlarged it and cleared this.
struct FrameState {
    uint halted;
    uint instancesNeeded;
    uint bucketsNeeded;
    uint gaussiansNeeded;
};

/// A splat: a visible Gaussian on the image plane.
struct Projected {
    float2 mean;   // pixels
    float3 conic;  // inverse covariance: (xx, xy, yy), per square pixel
    float opacity;
    float2 extent;  // half size of the box outside which alpha is below 1/255, pixels
    float3 colour;
    float depth;  // camera z
};

/// The same memory as vectors, which scattered threads load in fewer steps (lib/blend/projected.slang).
struct StoredSplat {
    float4 first;
    float4 second;
    float4 third;
};
#ifdef __cplusplus
static_assert(sizeof(StoredSplat) == sizeof(Projected));
#endif

/// Gradient of the loss with respect to the fields of a splat that the blend reads.
struct SplatGradient {
    float2 mean;
    float3 conic;
    float opacity;
    float3 colour;
    float2 absolute;  // sum over pixels of the mean gradient's absolute value (AbsGS), if requested
    float3 carried;   // of the value that blending carries, if one is requested
    float2 unused;
};
#ifdef __cplusplus
static_assert(sizeof(SplatGradient) == kGradientRow * sizeof(float));
#endif

/// Values of splats that blending carries beside colours: cases of lib.model.carried_value. The lowest two bits are how many numbers a value has.
SPLAT_CONSTANT uint kCarriesNothing = 0;
SPLAT_CONSTANT uint kCarriesInverseDepth = 4 + 1;
SPLAT_CONSTANT uint kCarriesNormal = 8 + 3;
SPLAT_CONSTANT uint kMostCarried = 3;  // numbers of a value

/// Kinds of BlendSums that a backward pass adds up.
SPLAT_CONSTANT uint kNoSums = 0;
SPLAT_CONSTANT uint kSumsOfWeights = 1;  // only the weight
SPLAT_CONSTANT uint kSumsOfValues = 2;   // and value: blending weight times the pixel's value
SPLAT_CONSTANT uint kSumsOfErrors = 3;   // and value, square and count of the fragments' errors (LiteGS)

/// Sums over the fragments of a splat, which are the pixels where it is blended, if requested.
struct BlendSums {
    float weight;  // of the blending weights
    float value;
    float square;
    float count;
};
#ifdef __cplusplus
static_assert(sizeof(BlendSums) == kBlendSumWords * sizeof(float));
#endif

/// kBucketSize consecutive splats of a tile's list; the pixels' state before them is saved as a checkpoint.
struct Bucket {
    uint tile;
    uint begin;  // instance, in sorted order
};

SPLAT_SHARED_END

#endif
