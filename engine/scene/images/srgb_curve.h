#pragma once

#include <cmath>
#include <concepts>

namespace splat {

/// The value of sRGB for linear light, both 0 to 1 (IEC 61966-2-1).
template <std::floating_point T>
T srgbOfLight(T light) {
    return light <= T(0.0031308) ? T(12.92) * light : T(1.055) * std::pow(light, 1 / T(2.4)) - T(0.055);
}

/// Linear light for a value of sRGB, both 0 to 1.
template <std::floating_point T>
T lightOfSrgb(T value) {
    return value <= T(0.04045) ? value / T(12.92) : std::pow((value + T(0.055)) / T(1.055), T(2.4));
}

}  // namespace splat
