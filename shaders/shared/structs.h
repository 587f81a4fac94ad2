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
struct FrameParameters {  // 18 words: shaders/optimize/begin_step.slang
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
    float lrNoise;          // of the noise on the means (MCMC)
    float opacityReg;       // weight of the mean opacity in the loss
    float scaleReg;         // weight of the mean scale in the loss
    float lrExposure;
    float lrPoses;
    uint photograph;  // first pixel of the photograph in its buffer
};

/// Sticky: once a capacity overflowed, frames are no-ops until the host has grown it and cleared this.
struct FrameState {
    uint halted;
    uint instancesNeeded;
    uint bucketsNeeded;
    uint gaussiansNeeded;
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
    float2 absolute;  // the mean's, summed without sign over pixels (AbsGS); where it is asked for
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

/// What a gaussian did since the last refinement.
struct GrowthStatistics {
    float gradient;  // sum of the lengths of dL/dmean on the image, in half images
    float views;     // in which it was visible
    float radius;    // largest, in parts of the image's longer side
};

/// A refinement of the model between two steps; zeros while the frame state is halted.
struct Refinement {
    uint before;  // gaussians that take part
    uint kept;    // those that stay
    uint births;  // those that want another place
    uint share;   // of births that there is room for: 2^-32 each; all of them where `all` is 1
    uint all;
    uint after;  // gaussians that the refined model has
    uint seed;   // of this refinement's random numbers
};

/// Thresholds of the standard recipe's refinement; scales in training units, radii in parts of the image's longer side.
struct GrowthRules {
    float gradient;
    float scale;
    float radius;
    float pruneOpacity;
    float pruneScale;
    float pruneRadius;
    uint radiusUntil;  // steps
    uint resetEvery;   // steps
    uint revisedOpacity;
};

/// Where a training camera has moved from where the dataset has it: camera' = R(rotation) camera + translation.
struct Twist {
    float3 translation;  // training units
    float3 rotation;     // axis times angle, radians
};

/// Groups of the kernels that sum over pixels or gaussians in two stages.
static const uint kReductionGroups = 512;

/// Pixels that a group of the loss kernels covers.
static const uint kLossTileWidth = 32;
static const uint kLossTileHeight = 32;

/// What the fourth byte of photographs says (Coverage in engine/scene/dataset.h).
static const uint kCoverageNone = 0;
static const uint kCoverageAlpha = 1;
static const uint kCoverageMask = 2;

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
    uint step;      // steps done
    uint serial;    // steps submitted, no-ops included
    uint unusable;  // gaussians that the step under way left with numbers that are not finite
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
    uint gaussiansNeeded;
    uint gaussians;
    uint unusable;  // of those, with numbers that are not finite
    uint visible;
    uint instances;
    LossSums loss;
};

/// What gaussians are selected by. The points of strokes and polygons lie beside it.
static const uint kSelectRectangle = 0;  // on the image
static const uint kSelectStroke = 1;
static const uint kSelectPolygon = 2;
static const uint kSelectSphere = 3;  // in the world
static const uint kSelectBox = 4;
static const uint kSelectOpacity = 5;

/// What becomes of the selection.
static const uint kCombineSet = 0;
static const uint kCombineAdd = 1;
static const uint kCombineRemove = 2;
static const uint kCombineIntersect = 3;

/// Edits of marks that need no shape; they touch neither hidden nor deleted gaussians, but for kEditUnhide.
static const uint kEditSelectAll = 0;
static const uint kEditSelectNone = 1;
static const uint kEditInvert = 2;
static const uint kEditHide = 3;  // the selected, which are then no longer selected; as with kEditDelete
static const uint kEditUnhide = 4;
static const uint kEditDelete = 5;
static const uint kEditCrop = 6;  // deletes all others

/// Bits of a change a gaussian, and gaussians a word of changes.
static const uint kChangeBits = 4;
static const uint kChangesAWord = 8;

/// A shape from one model's own frame.
struct SelectionArea {
    ViewParameters view;  // of the camera; of a sphere or box: its centre is the origin, its edges are the axes
    float nearest;        // depth from which on something is on the image
    float3 half;          // of a box: half its edges
    float2 low;           // of a rectangle, pixels; of opacities: x
    float2 high;
    float radius;  // of a stroke: pixels; of a sphere: model units
};

/// How many gaussians of a model are what.
struct MarkCounts {
    uint selected;
    uint hidden;
    uint deleted;
};

/// A gaussian's mark in a world: its model << kMarkFlagBits | flags.
static const uint kMarkFlagBits = 8;
static const uint kMarkSelected = 1;
static const uint kMarkHidden = 2;
static const uint kMarkDeleted = 4;

static const uint kModelVisible = 1;
static const uint kModelAntialiased = 2;
static const uint kModelGradients = 4;

/// A model of a world as one picture sees it.
struct ModelView {
    ViewParameters view;  // from the model's own frame
    uint first;           // its gaussians in the world's buffers
    uint shDegree;
    uint flags;  // kModelVisible, ...
    float3 tint;
};

/// What a picture's gaussians carry to the pixels.
static const uint kPaintColour = 0;    // their colours
static const uint kPaintModel = 1;     // their models' tints
static const uint kPaintDepth = 2;     // from here on one number, and whether the gaussian is selected
static const uint kPaintOpacity = 3;
static const uint kPaintGradient = 4;
static const uint kPaintRadius = 5;
static const uint kPaintNothing = 6;

/// What a picture draws of a gaussian.
static const uint kShapeSplat = 0;
static const uint kShapeDisc = 1;       // around its centre
static const uint kShapeEllipsoid = 2;  // the surface at some standard deviations

/// What a picture shows of a pixel.
static const uint kShowColour = 0;
static const uint kShowTiles = 1;     // the colour and the tiles' borders
static const uint kShowMean = 2;      // of what gaussians carry, by their shares in the pixel
static const uint kShowCoverage = 3;  // how much of the background is hidden
static const uint kShowCount = 4;     // gaussians blended
static const uint kShowListed = 5;    // gaussians in the list of the pixel's tile
static const uint kShowError = 6;     // mean distance of the channels from the photograph

static const uint kMapTurbo = 0;
static const uint kMapViridis = 1;

/// What changes from picture to picture without a new recording.
struct PictureParameters {
    float3 background;
    float split;      // pixels from the left; the photograph shows right of it
    float sizeScale;  // of all standard deviations
    float opacityMin;
    float opacityMax;
    float radiusMin;  // pixels, as Projected::extent
    float radiusMax;
    float rangeLow;  // of the values that the colour map spreads over
    float rangeHigh;
    uint autoRange;  // 1: the range of the picture's values instead
    uint colourMap;
    uint shDegree;  // at most
    float reach;    // of discs: pixels; of ellipsoids: standard deviations
    float2 focal;   // pixels
    uint keepsLast;  // 1: the picture before had the same size, and stays where this one does not fit
};

/// What lies under a pixel.
struct ProbeResult {
    uint listed;          // gaussians that the pixel blends, or whose surfaces lie there
    uint picked;          // the one with the largest share, or that whose surface is nearest; ~0: none
    float expectedDepth;  // mean by share
    float medianDepth;    // of the gaussian that stops the second half of the light (the last where none does), or of the nearest surface
    float transmittance;
};
struct ProbeEntry {
    uint gaussian;
    float depth;
    float alpha;
    float contribution;  // alpha times the transmittance in front of it; 0 of surfaces
};
static const uint kProbeEntries = 64;

SPLAT_SHARED_END

#endif
