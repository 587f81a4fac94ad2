#include "commands/bench/bench_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "commands/bench/suite_page.h"

namespace splat::app {

namespace {

using primitives::BenchRow;
using Rows = std::span<const BenchRow>;

/// The different values of a member, in the order of the rows.
template <class Value>
std::vector<Value> distinct(Rows rows, Value BenchRow::*member) {
    std::vector<Value> found;
    for (const BenchRow& row : rows) {
        if (std::ranges::find(found, row.*member) == found.end()) found.push_back(row.*member);
    }
    return found;
}

std::vector<BenchRow> rowsOf(Rows rows, const std::string& bench) {
    std::vector<BenchRow> own;
    std::ranges::copy_if(rows, std::back_inserter(own), [&](const BenchRow& row) { return row.bench == bench; });
    return own;
}

std::string cellOf(Rows rows, const std::string& variant, uint32_t n) {
    const auto row = std::ranges::find_if(rows, [&](const BenchRow& r) { return r.variant == variant && r.n == n; });
    if (row == rows.end() || row->skipped) return "-";
    return row->verified ? fmt::format("{:.4g}", row->median_ms) : "wrong";
}

ReportTable tableOf(Rows rows, const std::string& bench) {
    ReportTable table{.title = bench + ", median ms", .header = {"n"}, .rows = {}};
    const auto variants = distinct(rows, &BenchRow::variant);
    std::ranges::copy(variants, std::back_inserter(table.header));
    for (const uint32_t n : distinct(rows, &BenchRow::n)) {
        auto& cells = table.rows.emplace_back(1, std::to_string(n));
        for (const std::string& variant : variants) cells.push_back(cellOf(rows, variant, n));
    }
    return table;
}

Chart chartOf(Rows rows, const std::string& bench) {
    Chart chart{.title = bench,
                .x = {.title = "items", .logarithmic = true},
                .y = {.title = "median ms", .logarithmic = true},
                .lines = {},
                .width = 640,
                .height = 400};
    for (const std::string& variant : distinct(rows, &BenchRow::variant)) {
        ChartLine line{.name = variant, .colour = chartColour(chart.lines.size()), .points = {}};
        for (const BenchRow& row : rows) {
            if (row.variant == variant && row.verified) line.points.emplace_back(row.n, row.median_ms);
        }
        std::ranges::sort(line.points);
        chart.lines.push_back(std::move(line));
    }
    return chart;
}

}  // namespace

std::vector<ReportTable> benchTables(Rows rows) {
    std::vector<ReportTable> tables;
    for (const std::string& bench : distinct(rows, &BenchRow::bench)) tables.push_back(tableOf(rowsOf(rows, bench), bench));
    return tables;
}

std::vector<Chart> benchCharts(Rows rows) {
    std::vector<Chart> charts;
    for (const std::string& bench : distinct(rows, &BenchRow::bench)) charts.push_back(chartOf(rowsOf(rows, bench), bench));
    return charts;
}

std::string benchPage(Rows rows, std::vector<std::string> facts) {
    for (const BenchRow& row : rows) {
        if (!row.note.empty()) facts.push_back(fmt::format("{} {}, {} items: {}", row.bench, row.variant, row.n, row.note));
    }
    return toHtml({.title = "Splatwright bench",
                   .facts = std::move(facts),
                   .tables = benchTables(rows),
                   .charts = benchCharts(rows),
                   .chartsHeading = "Time over number of items",
                   .pictures = {}});
}

}  // namespace splat::app
