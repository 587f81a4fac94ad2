#include "commands/bench/bench_page.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "commands/bench/suite_page.h"

namespace splat::app {

namespace {

using primitives::BenchRow;
using Rows = std::span<const BenchRow>;

constexpr const char* kAccumulation = "backward";
constexpr const char* kSort = "sort";  // starts the names of the sort's benchmarks
constexpr const char* kBase = "atomic";
constexpr int kWidth = 600, kHeight = 400;  // of charts over numbers of items, pixels

/// The different values of a member, in the order of the rows.
template <class Value>
std::vector<Value> distinct(Rows rows, Value BenchRow::*member) {
    std::vector<Value> found;
    for (const BenchRow& row : rows) {
        if (std::ranges::find(found, row.*member) == found.end()) found.push_back(row.*member);
    }
    return found;
}

/// The rows with this value of a member.
template <class Value>
std::vector<BenchRow> rowsOf(Rows rows, Value BenchRow::*member, const Value& value) {
    std::vector<BenchRow> own;
    std::ranges::copy_if(rows, std::back_inserter(own), [&](const BenchRow& row) { return row.*member == value; });
    return own;
}

/// The rows of random items, or of subjects.
std::vector<BenchRow> rowsWith(Rows rows, bool subject) {
    std::vector<BenchRow> own;
    std::ranges::copy_if(rows, std::back_inserter(own), [&](const BenchRow& row) { return row.subject.empty() != subject; });
    return own;
}

bool isTimed(const BenchRow& row) { return row.verified && !row.skipped && row.median_ms > 0; }

/// The times of a benchmark with a row per value of one member and a column per value of another.
template <class Value>
ReportTable tableOf(Rows rows, const std::string& corner, Value BenchRow::*down, std::string BenchRow::*across) {
    ReportTable table{.title = rows.front().bench + ", ms: median [minimum, maximum]", .header = {corner}, .rows = {}};
    const auto columns = distinct(rows, across);
    std::ranges::copy(columns, std::back_inserter(table.header));
    for (const Value& value : distinct(rows, down)) {
        auto& cells = table.rows.emplace_back(1, fmt::format("{}", value));
        for (const std::string& column : columns) {
            const auto row = std::ranges::find_if(rows, [&](const BenchRow& r) { return r.*down == value && r.*across == column; });
            std::string& times = cells.emplace_back("-");
            if (row == rows.end() || row->skipped) continue;
            times = row->verified ? fmt::format("{:.4g} [{:.4g}, {:.4g}]", row->median_ms, row->min_ms, row->max_ms) : "wrong";
        }
    }
    return table;
}

/// A chart of the verified rows with a line per variant; `value` is the height of a row.
Chart chartOf(Rows rows, const std::string& bench, const char* unit, double (*value)(const BenchRow&)) {
    Chart chart{.title = bench,
                .x = {.title = "items", .logarithmic = true},
                .y = {.title = unit, .logarithmic = true},
                .lines = {},
                .width = kWidth,
                .height = kHeight};
    for (const std::string& variant : distinct(rows, &BenchRow::variant)) {
        ChartLine line{.name = variant, .colour = chartColour(chart.lines.size()), .points = {}};
        for (const BenchRow& row : rows) {
            if (row.variant == variant && row.verified) line.points.emplace_back(row.n, value(row));
        }
        std::ranges::sort(line.points);
        chart.lines.push_back(std::move(line));
    }
    return chart;
}

std::vector<Chart> chartsOf(Rows all, const char* unit, double (*value)(const BenchRow&)) {
    std::vector<Chart> charts;
    const std::vector<BenchRow> rows = rowsWith(all, false);
    for (const std::string& bench : distinct<std::string>(rows, &BenchRow::bench))
        charts.push_back(chartOf(rowsOf(rows, &BenchRow::bench, bench), bench, unit, value));
    return charts;
}

/// The row that others are compared with: the first of that variant, or the slowest.
const BenchRow& baseOf(Rows timed, std::string_view variant) {
    const auto named = std::ranges::find(timed, variant, &BenchRow::variant);
    return named != timed.end() ? *named : *std::ranges::max_element(timed, {}, &BenchRow::median_ms);
}

/// Bars of the rows with a time, if there are any.
void addSpeedUps(Rows rows, const std::string& title, std::string_view baseVariant, std::vector<BarChart>& charts) {
    std::vector<BenchRow> timed;
    std::ranges::copy_if(rows, std::back_inserter(timed), isTimed);
    if (timed.empty()) return;
    const BenchRow& base = baseOf(timed, baseVariant);
    BarChart& chart = charts.emplace_back(BarChart{.title = title, .unit = "times as fast as " + base.variant, .bars = {}});
    for (const BenchRow& row : timed)
        chart.bars.push_back({row.variant, base.median_ms / row.median_ms, base.median_ms / row.max_ms, base.median_ms / row.min_ms});
}

}  // namespace

std::string benchLine(const BenchRow& row) {
    const bool hasTimes = row.verified && !row.skipped;
    const auto time = [&](double value, int decimals) { return hasTimes ? fmt::format("{:.{}f}", value, decimals) : std::string("-"); };
    const double perSecond = row.median_ms > 0 ? row.n / row.median_ms * 1e-3 : 0;
    const char* verified = row.skipped ? "-" : row.verified ? "yes" : "NO";
    const char* separator = row.subject.empty() || row.note.empty() ? "" : "; ";
    return fmt::format("{:<16} {:<22} {:>10}  {:>9} {:>9} {:>9}  {:>10}  {:<8}  {}{}{}\n", row.bench, row.variant, row.n,
                       time(row.median_ms, 4), time(row.min_ms, 4), time(row.max_ms, 4), time(perSecond, 1), verified, row.subject,
                       separator, row.note);
}

std::vector<ReportTable> benchTables(Rows rows) {
    std::vector<ReportTable> tables;
    for (const std::string& bench : distinct(rows, &BenchRow::bench)) {
        const std::vector<BenchRow> own = rowsOf(rows, &BenchRow::bench, bench);
        tables.push_back(own.front().subject.empty() ? tableOf(own, "n", &BenchRow::n, &BenchRow::variant)
                                                     : tableOf(own, "", &BenchRow::variant, &BenchRow::subject));
    }
    return tables;
}

std::vector<Chart> timeCharts(Rows rows) {
    return chartsOf(rows, "median ms", [](const BenchRow& row) { return row.median_ms; });
}

std::vector<Chart> throughputCharts(Rows rows) {
    return chartsOf(rows, "million items per second", [](const BenchRow& row) { return isTimed(row) ? row.n / row.median_ms * 1e-3 : 0; });
}

std::vector<Chart> lossCharts(Rows rows) {
    Chart chart{.title = "weights that are never drawn",
                .x = {.title = "weights", .logarithmic = true},
                .y = {.title = "%"},
                .lines = {},
                .width = kWidth,
                .height = kHeight};
    for (const BenchRow& row : rows) {
        if (!row.neverDrawn || !row.verified) continue;
        const std::string name = fmt::format("{} {}", row.bench, row.variant);
        auto line = std::ranges::find(chart.lines, name, &ChartLine::name);
        if (line == chart.lines.end())
            line = chart.lines.insert(line, {.name = name, .colour = chartColour(chart.lines.size()), .points = {}});
        line->points.emplace_back(row.n, 100 * static_cast<double>(*row.neverDrawn) / row.n);
    }
    return chart.lines.empty() ? std::vector<Chart>() : std::vector{chart};
}

std::vector<BarChart> speedUpCharts(Rows rows) {
    std::vector<BarChart> charts;
    for (const std::string& bench : distinct(rows, &BenchRow::bench)) {
        const std::vector<BenchRow> own = rowsOf(rows, &BenchRow::bench, bench);
        if (bench.starts_with(kSort)) {
            const uint32_t most = std::ranges::max(own, {}, &BenchRow::n).n;
            addSpeedUps(rowsOf<uint32_t>(own, &BenchRow::n, most), fmt::format("{}, {} items", bench, most), "", charts);
        }
        if (bench != kAccumulation) continue;
        for (const std::string& subject : distinct<std::string>(own, &BenchRow::subject))
            addSpeedUps(rowsOf(own, &BenchRow::subject, subject), fmt::format("{}, {}", bench, subject), kBase, charts);
    }
    return charts;
}

std::vector<BarChart> stageCharts(Rows all) {
    std::vector<BarChart> charts;
    const std::vector<BenchRow> rows = rowsWith(all, true);
    for (const std::string& bench : distinct<std::string>(rows, &BenchRow::bench)) {
        if (bench == kAccumulation) continue;
        const std::vector<BenchRow> own = rowsOf(rows, &BenchRow::bench, bench);
        const bool stages = distinct<std::string>(own, &BenchRow::variant).size() > 1;
        BarChart chart{.title = stages ? fmt::format("{}, {}", bench, own.front().subject) : bench,
                       .unit = "median ms, from minimum to maximum",
                       .bars = {}};
        for (const BenchRow& row : own) {
            if (isTimed(row)) chart.bars.push_back({stages ? row.variant : row.subject, row.median_ms, row.min_ms, row.max_ms});
        }
        if (!chart.bars.empty()) charts.push_back(std::move(chart));
    }
    return charts;
}

std::string benchPage(Rows rows, std::vector<std::string> facts) {
    for (const BenchRow& row : rows) {
        const std::string of = row.subject.empty() ? fmt::format("{} items", row.n) : fmt::format("{}, {} items", row.subject, row.n);
        if (!row.note.empty()) facts.push_back(fmt::format("{} {}, {}: {}", row.bench, row.variant, of, row.note));
    }
    return toHtml({.title = "Splatwright bench",
                   .facts = std::move(facts),
                   .tables = benchTables(rows),
                   .charts = {{"Time over number of items", toSvg(timeCharts(rows))},
                              {"Throughput over number of items", toSvg(throughputCharts(rows))},
                              {"Precision", toSvg(lossCharts(rows))},
                              {"Speed-up", toSvg(speedUpCharts(rows))},
                              {"Pictures and training steps", toSvg(stageCharts(rows))}},
                   .pictures = {}});
}

}  // namespace splat::app
