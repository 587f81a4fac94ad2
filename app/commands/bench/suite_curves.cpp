#include "commands/bench/suite_curves.h"

#include <algorithm>
#include <sstream>

#include <splatwright/core/parse_json.h>
#include <splatwright/train/session/report.h>
#include <splatwright/train/session/run_files.h>

namespace splat::app {

namespace {

using nlohmann::json;
using Points = std::vector<std::pair<double, double>>;

constexpr size_t kMostPoints = 120;  // of a line; logs may have thousands

/// The pairs of two numbers in the lines of the run's log that have both; of many, evenly chosen ones with the first and the last.
Points pointsOf(const SuiteRun& run, const char* x, const char* y) {
    Points points;
    std::istringstream lines(logUntil(run.file(kLogFile), {.steps = UINT32_MAX, .rollbacks = SIZE_MAX}));
    for (std::string text; std::getline(lines, text);) {
        const json line = parseJson(text, run.file(kLogFile).string());
        const json first = line.value(x, json()), second = line.value(y, json());
        if (first.is_number() && second.is_number()) points.emplace_back(first.get<double>(), second.get<double>());
    }
    if (points.size() <= kMostPoints) return points;
    Points kept;
    for (size_t i = 0; i < kMostPoints; ++i) kept.push_back(points[i * (points.size() - 1) / (kMostPoints - 1)]);
    return kept;
}

/// What a chart shows: two members of the log's lines, and their axes.
struct Curve {
    const char *x, *y;
    ChartAxis xAxis, yAxis;
};

Chart chartOf(std::span<const SuiteRun> runs, const SuiteResults& results, size_t scene, const Curve& curve) {
    Chart chart{.title = results.scenes()[scene], .x = curve.xAxis, .y = curve.yAxis, .lines = {}};
    for (size_t preset = 0; preset < results.presets().size(); ++preset) {
        for (const SuiteRun& run : runs) {
            if (run.scene != scene || run.preset != preset || !results.run(scene, preset, run.seed)) continue;
            chart.lines.push_back(
                {.name = results.presets()[preset], .colour = chartColour(preset), .points = pointsOf(run, curve.x, curve.y)});
        }
    }
    return chart;
}

}  // namespace

std::vector<Chart> suiteCurves(std::span<const SuiteRun> runs, const SuiteResults& results) {
    const Curve quality{"seconds", "psnr", {.title = "seconds", .logarithmic = true}, {.title = "PSNR, dB"}};
    const Curve growth{"step", "splats", {.title = "step"}, {.title = "splats"}};
    std::vector<Chart> charts;
    for (size_t scene = 0; scene < results.scenes().size(); ++scene) {
        charts.push_back(chartOf(runs, results, scene, quality));
        charts.push_back(chartOf(runs, results, scene, growth));
    }
    return charts;
}

}  // namespace splat::app
