// Dispatches of all kernels: workgroup size, and grids that Commands::dispatch folds.
// Scalar layout in both languages; generated code asserts sizes and offsets.
#ifndef SPLAT_SHARED_DISPATCH_H
#define SPLAT_SHARED_DISPATCH_H

#include "types.h"

SPLAT_SHARED_BEGIN

SPLAT_CONSTANT uint kBlock = 256;  // threads of the kernels with one thread per item

/// Groups along x; larger grids continue in y, and kernels get their group by flatGroup of lib/core/dispatch.slang.
SPLAT_CONSTANT uint kFoldedGroups = 32768;
SPLAT_CONSTANT uint kMostFolds = 65535;  // rows of a grid that every device takes

/// Subgroup sizes that kernels with subgroup operations support.
SPLAT_CONSTANT uint kSmallestSubgroup = 4;
SPLAT_CONSTANT uint kLargestSubgroup = 128;

/// Group counts of an indirect dispatch (VkDispatchIndirectCommand).
struct DispatchArguments {
    uint x;
    uint y;
    uint z;
};

SPLAT_SHARED_END

#endif
