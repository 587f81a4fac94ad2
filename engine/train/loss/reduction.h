#pragma once

#include <algorithm>
#include <cstdint>

#include <splatwright/shared/dispatch.h>
#include <splatwright/shared/training.h>

namespace splat {

/// Groups of a kernel that sums over items in a fixed order (shaders/lib/train/reduce.slang): only those with items. Each group sums the same items
/// for any capacity, so that sums are bit-identical.
constexpr uint32_t reductionGroups(uint32_t items) {
    return std::min(shared::kReductionGroups, (items + shared::kBlock - 1) / shared::kBlock);
}

}  // namespace splat
