// Every struct that both sides use: C++ includes this through shared::, Slang through lib/structs.slang. Scalar layout on both sides;
// the generated kernels assert sizes and offsets.
#ifndef SPLAT_SHARED_STRUCTS_H
#define SPLAT_SHARED_STRUCTS_H

#include "shared/types.h"

SPLAT_SHARED_BEGIN

/// Group counts of an indirect dispatch (VkDispatchIndirectCommand).
struct DispatchArguments {
    uint x;
    uint y;
    uint z;
};

SPLAT_SHARED_END

#endif
