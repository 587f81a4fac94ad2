// Sizes and structs of shaders/primitives and of the host code that plans them.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_PRIMITIVES_H
#define SPLAT_SHARED_PRIMITIVES_H

#include "types.h"

SPLAT_SHARED_BEGIN

SPLAT_CONSTANT uint kScanThreads = 256;  // what every device offers
SPLAT_CONSTANT uint kScanItems = 8;      // values per thread
SPLAT_CONSTANT uint kScanTile = kScanThreads * kScanItems;
SPLAT_CONSTANT uint kMaxScanGroups = 512;  // fills the largest GPUs; each group adds up the sums of those before it, so more would cost

// One-pass scans (lib/scan/look_back.slang).
SPLAT_CONSTANT uint kLookBackItems = 16;  // values per thread; frames use kScanItems, because they need many groups more than few states
SPLAT_CONSTANT uint kLookBackTile = kScanThreads * kLookBackItems;
SPLAT_CONSTANT uint kLookBackPolls = 64;      // then a group sums a missing tile itself, which takes about as long as a few polls
SPLAT_CONSTANT uint kLookBackStateWords = 2;  // per tile

SPLAT_CONSTANT uint kSortDigits = 256;
SPLAT_CONSTANT uint kSortThreads = kScanThreads;  // except in larger scatter kernels: one per digit, as in scans
SPLAT_CONSTANT uint kSortRowItems = 8;            // counts a thread scans at a time
SPLAT_CONSTANT uint kSortSmallestTile = 2048;     // keys, of all variants: scratch memory is planned with it

// Look-back between the tiles of a sort pass (lib/sort/look_back.slang).
SPLAT_CONSTANT uint kSortPasses = 4;         // at most: 32-bit keys
SPLAT_CONSTANT uint kSortCountBits = 28;     // of a state; the upper bits say which pass it is from, and limit the number of pairs
SPLAT_CONSTANT uint kSortWindow = 8;         // tiles whose states a thread reads at once; more would be read for nothing
SPLAT_CONSTANT uint kSortDigitGroups = 512;  // of the kernel that counts all digits: fills the largest GPUs
SPLAT_CONSTANT uint kSortCounters = kSortPasses * kSortDigits;  // words: totals of the passes' digits

SPLAT_CONSTANT uint kBitonicTile = 1024;  // keys sorted in groupshared memory; a power of two

SPLAT_CONSTANT uint kCdfTile = kScanTile;          // weights whose sums are 32-bit
SPLAT_CONSTANT uint kCdfMaxWeight = 0x1fffff;      // 2^21 - 1: kCdfTile of them do not overflow a word
SPLAT_CONSTANT uint kCdfRowItems = kSortRowItems;  // tiles a thread of the tiles' scan takes at a time

SPLAT_CONSTANT uint kCountOnHost = 0xffffffff;  // as an index into a buffer of counts: take the host's number

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

SPLAT_SHARED_END

#endif
