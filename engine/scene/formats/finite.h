#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace splat {

/// Whether none of the numbers is infinite or NaN.
template <class Number>
bool allFinite(std::span<const Number> numbers) {
    if constexpr (std::is_floating_point_v<Number>) {
        using Bits = std::conditional_t<sizeof(Number) == sizeof(uint32_t), uint32_t, uint64_t>;
        // All bits of the exponent are set in those that are not finite. Several numbers at once take a fraction of the time.
        constexpr Bits kExponent = std::bit_cast<Bits>(std::numeric_limits<Number>::infinity());
        constexpr size_t kLanes = 16;
        std::array<Bits, kLanes> found{};
        size_t i = 0;
        for (; i + kLanes <= numbers.size(); i += kLanes)
            for (size_t lane = 0; lane < kLanes; ++lane)
                found[lane] |= Bits{(std::bit_cast<Bits>(numbers[i + lane]) & kExponent) == kExponent};
        for (; i < numbers.size(); ++i) found[0] |= Bits{(std::bit_cast<Bits>(numbers[i]) & kExponent) == kExponent};
        return found == std::array<Bits, kLanes>{};
    }
    return true;
}

}  // namespace splat
