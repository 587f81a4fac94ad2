// Every struct that both sides use: C++ includes this through shared::, Slang through lib/structs.slang. Scalar layout on both sides;
// the generated kernels assert sizes and offsets.
#ifndef SPLAT_SHARED_STRUCTS_H
#define SPLAT_SHARED_STRUCTS_H

#include "shared/types.h"

SPLAT_SHARED_BEGIN

/// Group counts of an indirect dispatch (VkDispatchIndirectCommand).
struct DispatchArguments {
    uint x;
    uint y;
    uint z;
};

/// A pinhole camera as kernels want it: camera = (dot(right, p), dot(down, p), dot(forward, p)) + translation.
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

/// What changes from frame to frame (or step to step) without a new recording.
struct FrameParameters {  // 12 words: shaders/optimize/begin_step.slang
    uint shDegree;        // active degree
    float3 background;
    float lrMeans;
    float lrRotations;
    float lrScales;
    float lrOpacities;
    float lrSh0;
    float lrShRest;
    float biasCorrection1;  // 1 - beta1^t
    float biasCorrection2;  // 1 - beta2^t
};

/// Sticky: once a capacity overflowed, frames are no-ops until the host has grown it and cleared this.
struct FrameState {
    uint halted;
    uint instancesNeeded;
    uint bucketsNeeded;
};

/// A visible gaussian on the image plane.
struct Projected {
    float2 mean;  // pixels
    float opacity;
    float depth;   // camera z
    float3 conic;  // inverse covariance: (xx, xy, yy), per square pixel
    float3 colour;
    float2 extent;  // half size of the box outside of which alpha is below 1/255, pixels
};

/// Gradient of the loss by what the blend reads of a gaussian.
struct SplatGradient {
    float2 mean;
    float3 conic;
    float opacity;
    float3 colour;
};

/// 32 consecutive splats of a tile's list, and where the pixels' state before them was saved.
struct Bucket {
    uint tile;
    uint begin;  // instance, in sorted order
};

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

/// Pixels that a group of the loss kernels covers.
static const uint kLossTileWidth = 32;
static const uint kLossTileHeight = 32;

/// Sums over pixels and channels; the host divides.
struct LossSums {
    float l1;
    float ssim;
};

/// What a cumulative distribution says of all weights together. 64-bit numbers are (low, high).
struct CdfTotal {
    uint2 sum;
    uint weights;  // how many
};

/// How a draw goes about it: systematic draw j is at offset + j * step, whose parts beyond the point are j * stepRest and offsetRest in
/// units of 1 / draws.
struct CdfPlan {
    uint draws;
    uint2 offset;
    uint2 step;
    uint offsetRest;
    uint stepRest;
};

/// Where training stands, on the GPU.
struct TrainingState {
    uint step;    // steps done
    uint serial;  // steps submitted, no-ops included
};

/// A time stamp or a sum of them, 64 bits.
struct Ticks {
    uint low;
    uint high;
};

/// What a step tells the host, some steps late.
struct StepStatus {
    uint step;  // steps done, this one included
    uint halted;
    uint instancesNeeded;
    uint bucketsNeeded;
    uint gaussians;
    uint visible;
    uint instances;
    LossSums loss;
};

SPLAT_SHARED_END

#endif
