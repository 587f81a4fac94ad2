// 2D Gaussians of a picture, called blobs.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_FIT2D_H
#define SPLAT_SHARED_FIT2D_H

#include "types.h"

SPLAT_SHARED_BEGIN

// Kinds of blobs: what their parameters mean (shaders/lib/fit2d/blob.slang).
SPLAT_CONSTANT uint kFreeBlobs = 0;  // a free covariance by its Cholesky factor, free colours
SPLAT_CONSTANT uint kDemoBlobs = 1;  // the nine parameters of the Slang playground's gsplat2d-diff, each in 0..1

SPLAT_SHARED_END

#endif
