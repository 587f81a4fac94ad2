// How areas are found that a single photograph shows.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_TRANSIENTS_H
#define SPLAT_SHARED_TRANSIENTS_H

#include "types.h"

SPLAT_SHARED_BEGIN

/// Bins of errors, from 0 to 1; the last has all above.
SPLAT_CONSTANT uint kPixelErrorBins = 1024;
/// Pixels of the side of a block that votes together.
SPLAT_CONSTANT uint kVoteBlock = 8;

SPLAT_SHARED_END

#endif
