// Quantities of Gaussians that the viewer counts in a histogram.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_QUANTITIES_H
#define SPLAT_SHARED_QUANTITIES_H

#include "types.h"

SPLAT_SHARED_BEGIN

SPLAT_CONSTANT uint kQuantityScale = 0;  // largest standard deviation, world units
SPLAT_CONSTANT uint kQuantityOpacity = 1;
SPLAT_CONSTANT uint kQuantityShEnergy = 2;  // sum of squares of the SH coefficients above degree 0
SPLAT_CONSTANT uint kQuantityRadius = 3;    // on the screen, pixels
SPLAT_CONSTANT uint kQuantityGradient = 4;  // mean screen-space positional gradient
SPLAT_CONSTANT uint kQuantityError = 5;     // of the pixels, by blending weight

SPLAT_CONSTANT uint kHistogramBins = 128;  // of all Gaussians; as many of the selected ones follow
SPLAT_CONSTANT uint kErrorSumWords = 4;    // of a Gaussian: two 64-bit sums in fixed point, low word first
/// A logarithmic histogram starts at this part of its upper end or above, as zero has no logarithm.
SPLAT_CONSTANT SPLAT_REAL kLeastHistogramPart = 1e-6;

SPLAT_SHARED_END

#endif
