#pragma once

#include <array>
#include <span>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace splat {

/// A figure of a run, taken from its metrics.json.
struct Figure {
    std::string_view name;  ///< in suite.json
    std::string_view heading;
    int decimals = 0;
    bool isQuality = false;                       ///< higher is better, and presets are compared by it
    double (*of)(const nlohmann::json& metrics);  ///< NaN: the run has none, for example without test views
};

inline constexpr size_t kFigures = 7;
const std::array<Figure, kFigures>& figureTable();

/// A value per row of figureTable().
using Figures = std::array<double, kFigures>;

/// The figures of a metrics.json. Throws InputError, starting with `where`, if it is damaged.
Figures figuresOf(const nlohmann::json& metrics, std::string_view where);

}  // namespace splat
