// 2D Gaussians of a picture, called blobs.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_FIT2D_H
#define SPLAT_SHARED_FIT2D_H

#include "types.h"

SPLAT_SHARED_BEGIN

// Kinds of blobs: what their parameters mean (shaders/lib/fit2d/blob.slang).
SPLAT_CONSTANT uint kFreeBlobs = 0;  // a free covariance by its Cholesky factor, free colours
SPLAT_CONSTANT uint kDemoBlobs = 1;  // the nine parameters of the Slang playground's gsplat2d-diff, each in 0..1

// Faults of the demo's kernels that can be switched on again (shaders/fit2d/README.md), as bits.
SPLAT_CONSTANT uint kDemoLosesBlobs = 1;          // a tile draws the first 256 blobs that it finds
SPLAT_CONSTANT uint kDemoFirstBias = 2;           // Adam's bias is corrected in every step as in the first
SPLAT_CONSTANT uint kDemoDeadParameters = 4;      // parameters may leave 0..1, where they have no gradient
SPLAT_CONSTANT uint kDemoPremultipliesTwice = 8;  // the blended colour is multiplied by its coverage again
SPLAT_CONSTANT uint kDemoList = 256;              // blobs of a tile that the network sorts

SPLAT_SHARED_END

#endif
