// Neural networks of image metrics.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_EVALUATE_H
#define SPLAT_SHARED_EVALUATE_H

#include "types.h"

SPLAT_SHARED_BEGIN

/// Output channels and pixels per group of `convolve`: eight by eight per thread, so that each value from groupshared memory is used eight times.
SPLAT_CONSTANT uint kConvolutionChannels = 64;
SPLAT_CONSTANT uint kConvolutionPixels = 128;

SPLAT_SHARED_END

#endif
