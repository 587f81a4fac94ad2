#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Statistics of one number of every splat, over those that are finite.
struct ColumnSummary {
    std::string name;  ///< of its PLY property
    double min = 0, median = 0, mean = 0, max = 0, deviation = 0;
    size_t notFinite = 0;
};

struct SplatSummary {
    size_t count = 0;
    int shDegree = 0;
    bool antialiased = false;
    std::vector<ColumnSummary> columns;  ///< all attributes of 3DGS PLY files, in their order
};

SplatSummary summaryOf(const Gaussians& gaussians);

nlohmann::json toJson(const SplatSummary& summary);

/// A table for people, a line per column.
std::string toText(const SplatSummary& summary);

}  // namespace splat
