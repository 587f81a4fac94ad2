// Sizes that the host plans with and the kernels of shaders/primitives are built for.
#ifndef SPLAT_SHARED_PRIMITIVES_H
#define SPLAT_SHARED_PRIMITIVES_H

#include "shared/types.h"

SPLAT_SHARED_BEGIN

static const uint kScanThreads = 256;  // what every device offers
static const uint kScanItems = 8;      // values a thread
static const uint kScanTile = kScanThreads * kScanItems;
static const uint kMaxScanGroups = 512;  // fills the largest GPUs; each group adds up the sums of those before it, so more would cost

static const uint kSortThreads = kScanThreads;  // one a digit, and the group's scans serve both
static const uint kSortDigits = 256;
static const uint kMaxSortGroups = 1024;  // length of a digit's row of counts

static const uint kCountOnHost = 0xffffffff;  // as an index into a buffer of counts: take the host's number

SPLAT_SHARED_END

#endif
