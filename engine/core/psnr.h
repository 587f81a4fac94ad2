#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace splat {

/// Peak signal-to-noise ratio in dB of 8-bit values from the sum of their squared differences, both numbers over pixels and channels; +infinity for
/// equal ones.
inline double psnrOf(uint64_t squaredDifferences, uint64_t values) {
    if (squaredDifferences == 0) return std::numeric_limits<double>::infinity();
    return 10 * std::log10(255.0 * 255.0 * static_cast<double>(values) / static_cast<double>(squaredDifferences));
}

}  // namespace splat
