#include "commands/bench/suite_tables.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <splatwright/train/suite/leave_one_out.h>

namespace splat::app {

namespace {

constexpr const char* kOverScenes = "mean over scenes";

std::string cell(const Spread& spread, int decimals) {
    if (spread.count == 0) return "-";
    const std::string mean = fmt::format("{:.{}f}", spread.mean, decimals);
    return std::isfinite(spread.deviation) ? fmt::format("{} ± {:.{}f}", mean, spread.deviation, decimals) : mean;
}

std::string cell(const MeanInterval& interval, int decimals) {
    if (interval.count == 0) return "-";
    const std::string mean = fmt::format("{:+.{}f}", interval.mean, decimals);
    if (!std::isfinite(interval.halfWidth)) return mean;
    return fmt::format("{} [{:+.{}f}, {:+.{}f}]{}", mean, interval.low(), decimals, interval.high(), decimals,
                       interval.isClear() ? " *" : "");
}

std::vector<size_t> qualityFigures() {
    std::vector<size_t> figures;
    for (size_t i = 0; i < kFigures; ++i) {
        if (figureTable()[i].isQuality) figures.push_back(i);
    }
    return figures;
}

using SpreadOf = std::function<Spread(size_t figure, size_t preset)>;

ReportTable resultTable(const SuiteResults& results, const std::string& title, const SpreadOf& spread) {
    ReportTable table{.title = title, .header = {"preset", "seeds"}, .rows = {}};
    for (const Figure& figure : figureTable()) table.header.emplace_back(figure.heading);
    for (size_t preset = 0; preset < results.presets().size(); ++preset) {
        auto& row = table.rows.emplace_back(std::vector{results.presets()[preset], fmt::format("{}", spread(4, preset).count)});
        for (size_t figure = 0; figure < kFigures; ++figure) row.push_back(cell(spread(figure, preset), figureTable()[figure].decimals));
    }
    return table;
}

using IntervalOf = std::function<MeanInterval(size_t figure, size_t preset)>;

ReportTable comparisonTable(const SuiteResults& results, size_t base, const std::string& title, const IntervalOf& interval) {
    ReportTable table{.title = fmt::format("{}: difference to {} (95 % interval; * excludes 0)", title, results.presets()[base]),
                      .header = {"preset", "pairs"},
                      .rows = {}};
    for (const size_t figure : qualityFigures()) table.header.emplace_back(figureTable()[figure].heading);
    for (size_t preset = 0; preset < results.presets().size(); ++preset) {
        if (preset == base) continue;
        auto& row = table.rows.emplace_back(std::vector{results.presets()[preset], fmt::format("{}", interval(0, preset).count)});
        for (const size_t figure : qualityFigures()) row.push_back(cell(interval(figure, preset), figureTable()[figure].decimals + 1));
    }
    return table;
}

/// Columns that the text takes on a terminal: its characters of UTF-8.
size_t widthOf(const std::string& text) {
    return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80; }));
}

std::string line(const std::vector<std::string>& cells, const std::vector<size_t>& widths) {
    std::string text;
    for (size_t i = 0; i < cells.size(); ++i) text += cells[i] + std::string(widths[i] - widthOf(cells[i]) + 2, ' ');
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::vector<ReportTable> resultTables(const SuiteResults& results) {
    std::vector<ReportTable> tables;
    for (size_t scene = 0; scene < results.scenes().size(); ++scene) {
        tables.push_back(resultTable(results, results.scenes()[scene],
                                     [&](size_t figure, size_t preset) { return results.spread(figure, scene, preset); }));
    }
    tables.push_back(
        resultTable(results, kOverScenes, [&](size_t figure, size_t preset) { return results.spreadOverScenes(figure, preset); }));
    return tables;
}

std::vector<ReportTable> comparisonTables(const SuiteResults& results, size_t base) {
    std::vector<ReportTable> tables;
    for (size_t scene = 0; scene < results.scenes().size(); ++scene) {
        tables.push_back(comparisonTable(results, base, results.scenes()[scene],
                                         [&](size_t figure, size_t preset) { return results.difference(figure, scene, preset, base); }));
    }
    tables.push_back(comparisonTable(results, base, kOverScenes,
                                     [&](size_t figure, size_t preset) { return results.differenceOverScenes(figure, preset, base); }));
    return tables;
}

ReportTable leaveOneOutTable(const SuiteResults& results, size_t base) {
    ReportTable table{.title = fmt::format("each scene left out: difference to {} of the preset that is best on the other scenes "
                                           "(95 % interval; * excludes 0)",
                                           results.presets()[base]),
                      .header = {"scene", "chosen", "pairs"},
                      .rows = {}};
    for (const size_t figure : qualityFigures()) table.header.emplace_back(figureTable()[figure].heading);
    const auto add = [&](const std::string& scene, const std::string& chosen, const std::function<MeanInterval(size_t figure)>& interval) {
        auto& row = table.rows.emplace_back(std::vector{scene, chosen, fmt::format("{}", interval(0).count)});
        for (const size_t figure : qualityFigures()) row.push_back(cell(interval(figure), figureTable()[figure].decimals + 1));
    };
    const std::vector<size_t> chosen = chosenOnOthers(results, base);
    for (size_t scene = 0; scene < chosen.size(); ++scene)
        add(results.scenes()[scene], results.presets()[chosen[scene]],
            [&](size_t figure) { return results.difference(figure, scene, chosen[scene], base); });
    add(kOverScenes, "", [&](size_t figure) { return results.differenceOverScenes(figure, chosen, base); });
    return table;
}

std::string asText(const ReportTable& table) {
    std::vector<size_t> widths;
    for (const std::string& heading : table.header) widths.push_back(widthOf(heading));
    for (const auto& row : table.rows) {
        for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
    }
    std::string text = table.title + "\n" + line(table.header, widths);
    for (const auto& row : table.rows) text += line(row, widths);
    return text;
}

}  // namespace splat::app
