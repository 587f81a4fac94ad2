#pragma once

#include <cstdint>
#include <vector>

namespace splat {

/// Capacities of the buffers that a step or a refinement can overflow.
struct StepCapacity {
    uint32_t gaussians = 0;
    uint32_t instances = 0;
    uint32_t buckets = 0;

    bool operator==(const StepCapacity&) const = default;
};

/// Capacities to try in turn after an overflow, until one fits into memory: with a margin, without, and with as many Gaussians as before.
/// `needed` is what the overflow asked for, zeros where nothing overflowed; the model never grows beyond `limit` Gaussians.
std::vector<StepCapacity> growthAttempts(const StepCapacity& had, const StepCapacity& needed, uint32_t limit);

}  // namespace splat
