#include <splatwright/convert/summary.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/median.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {

namespace {

/// A word of a plane: one number per splat.
struct Column {
    const AttributeRow* row;
    uint32_t plane, word;
};

std::vector<Column> columnsOf(const Gaussians& gaussians) {
    std::vector<Column> columns;
    for (const AttributeRow& row : kAttributes)
        for (uint32_t plane = 0; plane < planesAt(row, gaussians.shDegree); ++plane)
            for (uint32_t word = 0; word < row.words; ++word) columns.push_back({&row, plane, word});
    return columns;
}

ColumnSummary summaryOf(const Gaussians& gaussians, const Column& column) {
    ColumnSummary summary{.name = plyProperty(*column.row, gaussians.shDegree, column.plane, column.word)};
    const HostPlane<const float> plane = hostPlane(gaussians, *column.row, column.plane);
    std::vector<float> values;
    for (size_t i = 0; i < gaussians.count(); ++i) {
        const float value = plane.first[i * plane.stride + column.word];
        if (std::isfinite(value)) values.push_back(value);
    }
    summary.notFinite = gaussians.count() - values.size();
    if (values.empty()) return summary;
    const auto number = static_cast<double>(values.size());
    const auto [low, high] = std::ranges::minmax(values);
    summary.min = low;
    summary.max = high;
    summary.mean = std::accumulate(values.begin(), values.end(), 0.0) / number;
    double squares = 0;
    for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
    summary.deviation = std::sqrt(squares / number);
    summary.median = medianOf(std::move(values));
    return summary;
}

}  // namespace

SplatSummary summaryOf(const Gaussians& gaussians) {
    SplatSummary summary{.count = gaussians.count(), .shDegree = gaussians.shDegree, .antialiased = gaussians.antialiased, .columns = {}};
    const std::vector<Column> columns = columnsOf(gaussians);
    summary.columns.resize(columns.size());
    parallelFor(columns.size(), [&](size_t i) { summary.columns[i] = summaryOf(gaussians, columns[i]); });
    return summary;
}

nlohmann::json toJson(const SplatSummary& summary) {
    nlohmann::json columns = nlohmann::json::object();
    for (const ColumnSummary& c : summary.columns)
        columns[c.name] = {{"min", c.min}, {"median", c.median},       {"mean", c.mean},
                           {"max", c.max}, {"deviation", c.deviation}, {"not_finite", c.notFinite}};
    return {{"splats", summary.count}, {"degree", summary.shDegree}, {"antialiased", summary.antialiased}, {"columns", columns}};
}

std::string toText(const SplatSummary& summary) {
    std::string text =
        fmt::format("{} splats, SH degree {}{}\n{:<10} {:>12} {:>12} {:>12} {:>12} {:>12} {:>10}\n", summary.count, summary.shDegree,
                    summary.antialiased ? ", antialiased" : "", "property", "min", "median", "mean", "max", "deviation", "not finite");
    for (const ColumnSummary& c : summary.columns)
        text += fmt::format("{:<10} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>10}\n", c.name, c.min, c.median, c.mean, c.max,
                            c.deviation, c.notFinite);
    return text;
}

}  // namespace splat
