#pragma once

#include <splatwright/primitives/count.h>

namespace splat::primitives {

/// Number of groups of a scan or a compaction: at most the number of tiles, and at least one, because the last group writes the total.
uint32_t scanGroups(const Count& count);

}  // namespace splat::primitives
