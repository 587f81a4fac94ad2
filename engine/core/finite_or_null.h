#pragma once

#include <cmath>

#include <nlohmann/json.hpp>

namespace splat {

/// The value, or null for infinity and NaN, which JSON lacks.
inline nlohmann::ordered_json finiteOrNull(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

}  // namespace splat
