// Selection, marks, render modes and probing.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_VIEWER_H
#define SPLAT_SHARED_VIEWER_H

#include "types.h"
#ifdef __cplusplus
#include "frame.h"  // in Slang, the module shared.viewer imports shared.frame
#endif

SPLAT_SHARED_BEGIN

/// Shapes of a selection. The points of strokes and polygons are in a buffer of their own.
SPLAT_CONSTANT uint kSelectRectangle = 0;  // on the image
SPLAT_CONSTANT uint kSelectStroke = 1;
SPLAT_CONSTANT uint kSelectPolygon = 2;
SPLAT_CONSTANT uint kSelectSphere = 3;  // in the world
SPLAT_CONSTANT uint kSelectBox = 4;
SPLAT_CONSTANT uint kSelectOpacity = 5;
SPLAT_CONSTANT uint kSelectMask = 6;     // pixels of the image
SPLAT_CONSTANT uint kSelectColour = 7;   // of SH degree 0
SPLAT_CONSTANT uint kSelectNumbers = 8;  // that are given per Gaussian

/// How a shape changes the selection.
SPLAT_CONSTANT uint kCombineSet = 0;
SPLAT_CONSTANT uint kCombineAdd = 1;
SPLAT_CONSTANT uint kCombineRemove = 2;
SPLAT_CONSTANT uint kCombineIntersect = 3;

/// Edits of marks that need no shape; they touch neither hidden nor deleted gaussians, but for kEditUnhide.
SPLAT_CONSTANT uint kEditSelectAll = 0;
SPLAT_CONSTANT uint kEditSelectNone = 1;
SPLAT_CONSTANT uint kEditInvert = 2;
SPLAT_CONSTANT uint kEditHide = 3;  // the selected, which are then no longer selected; as with kEditDelete
SPLAT_CONSTANT uint kEditUnhide = 4;
SPLAT_CONSTANT uint kEditDelete = 5;
SPLAT_CONSTANT uint kEditCrop = 6;  // deletes all others

/// Bits of a change per Gaussian, and Gaussians per word of changes.
SPLAT_CONSTANT uint kChangeBits = 4;
SPLAT_CONSTANT uint kChangesPerWord = 8;

/// A shape from one model's own frame.
struct SelectionArea {
    ViewParameters view;  // of the camera; of a sphere or box: its centre is the origin, its edges are the axes
    float nearest;        // depth from which on something is on the image
    float3 half;          // of a box: half its edges
    float3 colour;        // of colours: the middle, 0..1
    float2 low;           // of a rectangle, pixels; of opacities and numbers: x
    float2 high;
    float radius;  // of a stroke: pixels; of a sphere: model units; of colours: the largest difference of a channel
};

/// Numbers of marked Gaussians of a model.
struct MarkCounts {
    uint selected;
    uint hidden;
    uint deleted;
};

/// Flag of a Gaussian that is not in the chosen level of detail.
SPLAT_CONSTANT uint kMarkAway = 8;

/// A node of levels of detail, in the model's own frame: bounds of its splats, and of their means.
struct DetailBox {
    float3 low;
    float3 high;
    float3 coreLow;
    float3 coreHigh;
};

/// What chooses levels of detail.
struct DetailParameters {
    uint budget;       // splats of all nodes in the picture
    float leastError;  // pixels: no node needs less
};

SPLAT_CONSTANT uint kNoDetailLevel = 31;   // none of a node's levels
SPLAT_CONSTANT uint kDetailLevelBits = 5;  // of a level
SPLAT_CONSTANT uint kDetailUnseen = 32;    // flag of a wanted level: the node is outside the picture
SPLAT_CONSTANT uint kDetailPage = 256;     // splats of one node and level that are stored together

/// A page of a streamed model: which level of which node it holds, and how many splats.
struct DetailPage {
    uint owner;  // 0: none; else (node << kDetailLevelBits | level) + 1
    uint count;
};

/// The mark of a Gaussian in a scene: its model << kMarkFlagBits | flags.
SPLAT_CONSTANT uint kMarkFlagBits = 8;
SPLAT_CONSTANT uint kMarkSelected = 1;
SPLAT_CONSTANT uint kMarkHidden = 2;
SPLAT_CONSTANT uint kMarkDeleted = 4;

SPLAT_CONSTANT uint kModelVisible = 1;
SPLAT_CONSTANT uint kModelAntialiased = 2;
SPLAT_CONSTANT uint kModelGradients = 4;

/// A model of the scene as one frame sees it.
struct ModelView {
    ViewParameters view;  // from the model's own frame
    uint first;           // index of its first Gaussian in the scene's buffers
    uint shDegree;
    uint flags;  // kModelVisible, ...
    float3 tint;
};

/// What Gaussians carry to the pixels in a render mode.
SPLAT_CONSTANT uint kPaintColour = 0;  // their colours
SPLAT_CONSTANT uint kPaintModel = 1;   // their models' tints
SPLAT_CONSTANT uint kPaintNormal = 2;  // values from here on, over black: three numbers
SPLAT_CONSTANT uint kPaintDepth = 3;   // one number from here on
SPLAT_CONSTANT uint kPaintOpacity = 4;
SPLAT_CONSTANT uint kPaintGradient = 5;
SPLAT_CONSTANT uint kPaintRadius = 6;
SPLAT_CONSTANT uint kPaintNothing = 7;

/// How a render mode draws a Gaussian.
SPLAT_CONSTANT uint kShapeSplat = 0;
SPLAT_CONSTANT uint kShapeDisc = 1;       // around its centre
SPLAT_CONSTANT uint kShapeEllipsoid = 2;  // the surface at some standard deviations

/// What a render mode shows of a pixel.
SPLAT_CONSTANT uint kShowColour = 0;
SPLAT_CONSTANT uint kShowTiles = 1;     // the colour and the tiles' borders
SPLAT_CONSTANT uint kShowMean = 2;      // of what gaussians carry, by their blending weights
SPLAT_CONSTANT uint kShowCoverage = 3;  // how much of the background is hidden
SPLAT_CONSTANT uint kShowCount = 4;     // gaussians blended
SPLAT_CONSTANT uint kShowListed = 5;    // gaussians in the list of the pixel's tile
SPLAT_CONSTANT uint kShowError = 6;     // mean distance of the channels from the ground truth
SPLAT_CONSTANT uint kShowNormal = 7;    // mean direction of the normals that gaussians carry

/// What changes per viewer frame without a new recording.
struct PictureParameters {
    float3 background;
    float split;      // pixels from the left; the ground truth shows right of it
    float sizeScale;  // of all standard deviations
    float opacityMin;
    float opacityMax;
    float radiusMin;  // pixels, as Projected::extent
    float radiusMax;
    float rangeLow;  // of the values that the colour map spreads over
    float rangeHigh;
    uint autoRange;    // 1: the range of the picture's values instead
    uint logarithmic;  // 1: the colour map spreads over the values' logarithms
    uint colourMap;
    uint shDegree;   // at most
    float reach;     // of discs: pixels; of ellipsoids: standard deviations
    float2 focal;    // pixels
    float parallel;  // of orthographic pictures: distance at which a perspective one has the same scale, world units; 0: perspective
    uint keepsLast;  // 1: the picture before had the same size, and stays where this one does not fit
};

/// A range of logarithms starts at this part of its upper end or above, as zero has no logarithm.
SPLAT_CONSTANT SPLAT_REAL kLeastLogarithmicPart = 1e-4;

/// Numbers are not negative, and so sort like their bits. They are searched for by digits: of 11 bits, 10 and 10, below a sign that is 0.
SPLAT_CONSTANT uint kNumberDigits = 3;
SPLAT_CONSTANT uint kNumberBins = 2048;      // of the first digit, or of a later digit of two numbers
SPLAT_CONSTANT uint kNumbersPerThread = 16;  // that are counted by bins: a group clears and adds its bins once for all of them

/// A search for the two percentiles of numbers at the ends of a range.
struct PercentileSearch {
    uint2 ranks;     // among the numbers that begin with the digits so far
    uint2 prefixes;  // the digits so far
};

/// Gaussians under a pixel.
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
SPLAT_CONSTANT uint kProbeEntries = 64;

/// Colour maps of numbers; engine/view/render_modes.cpp has their names, lib/view/colour_maps.slang their colours.
SPLAT_CONSTANT uint kColourMapInferno = 0;
SPLAT_CONSTANT uint kColourMapTurbo = 1;
SPLAT_CONSTANT uint kColourMapViridis = 2;

SPLAT_SHARED_END

#endif
