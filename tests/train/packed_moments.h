#pragma once

#include <cmath>
#include <cstdint>

#include <splatwright/shared/training.h>

namespace splat {

/// Adam's moments that a word of shared::PackedMoments3 stands for.
struct UnpackedMoments {
    double first, second;
};

inline UnpackedMoments unpackMoments(uint32_t word) {
    const uint32_t code = word >> 16u;
    const double mantissa = 1 + (code - 1) % 1024 / 1024.0;
    const double root = code == 0 ? 0 : std::ldexp(mantissa, static_cast<int>((code - 1) / 1024) - static_cast<int>(shared::kRootOctaves));
    const auto quotient = static_cast<int16_t>(word & 0xffffu);
    return {root * quotient / shared::kQuotientUnit, root * root};
}

}  // namespace splat
