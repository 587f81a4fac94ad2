#pragma once

#include "primitives/count.h"

namespace splat::primitives {

/// Groups of a scan or a compaction: no more than there are tiles, and never none, because the last group writes the total.
uint32_t scanGroups(const Count& count);

}  // namespace splat::primitives
