// What the kernels of shaders/explain read out of a frame for engine/explain.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_EXPLAIN_H
#define SPLAT_SHARED_EXPLAIN_H

#include "types.h"
#ifdef __cplusplus
#include "frame.h"  // in Slang, the module shared.explain imports shared.frame
#endif

SPLAT_SHARED_BEGIN

/// An instance of a tile before the tile sort.
struct EmittedInstance {
    uint place;  // in the order of emission, among the instances of all tiles
    uint gaussian;
};

/// A splat of a tile's list, as the projection left it.
struct ListedSplat {
    uint gaussian;
    uint key;  // of the depth sort
    Projected splat;
};

/// What happens to a splat of the tile's list at a pixel.
SPLAT_CONSTANT uint kMissesSubtile = 0;  // not evaluated: the splat does not touch the pixel's sub-tile
SPLAT_CONSTANT uint kBelowCut = 1;       // alpha is below 1/255
SPLAT_CONSTANT uint kIsBlended = 2;
SPLAT_CONSTANT uint kEndsPixel = 3;  // would leave less than kMinTransmittance: the pixel stops, and this splat is not blended
SPLAT_CONSTANT uint kIsHidden = 4;   // behind the stop: not evaluated

/// A splat of the tile's list at a pixel, front to back.
struct BlendStep {
    uint outcome;
    float alpha;          // 0 if it was not evaluated
    float transmittance;  // before the splat
    float weight;         // alpha * transmittance if it is blended, else 0
    float3 colour;        // of the pixel, after the splat
};

SPLAT_SHARED_END

#endif
