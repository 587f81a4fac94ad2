// Sizes that the host plans with and the kernels of shaders/primitives are built for.
#ifndef SPLAT_SHARED_PRIMITIVES_H
#define SPLAT_SHARED_PRIMITIVES_H

#include "shared/types.h"

SPLAT_SHARED_BEGIN

static const uint kScanThreads = 256;  // what every device offers
static const uint kScanItems = 8;      // values a thread
static const uint kScanTile = kScanThreads * kScanItems;
static const uint kMaxScanGroups = 512;  // fills the largest GPUs; each group adds up the sums of those before it, so more would cost

static const uint kSortDigits = 256;
static const uint kSortThreads = kScanThreads;  // of all but the larger scatter kernels: one a digit, and the group's scans serve both
static const uint kSortRowItems = 8;            // counts a thread scans at a time
static const uint kSortSmallestTile = 2048;     // keys, of all variants: scratch memory is planned with it

static const uint kCdfTile = kScanTile;          // weights whose sums are 32-bit
static const uint kCdfMaxWeight = 0x1fffff;      // 2^21 - 1: kCdfTile of them do not overflow a word
static const uint kCdfRowItems = kSortRowItems;  // tiles a thread of the tiles' scan takes at a time

static const uint kCountOnHost = 0xffffffff;  // as an index into a buffer of counts: take the host's number

SPLAT_SHARED_END

#endif
