#include "commands/bench/suite_report.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/ranges.h>

#include <splatwright/core/file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include "commands/bench/machine.h"
#include "commands/bench/suite_curves.h"
#include "commands/bench/suite_json.h"
#include "commands/bench/suite_page.h"
#include "commands/bench/suite_tables.h"
#include "commands/bench/worst_views.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

std::vector<ReportTable> tablesOf(const SuiteReport& report) {
    std::vector<ReportTable> all = resultTables(report.results);
    if (report.base) std::ranges::move(comparisonTables(report.results, *report.base), std::back_inserter(all));
    if (report.leaveOneOut) all.push_back(leaveOneOutTable(report.results, *report.base));
    return all;
}

}  // namespace

void printAndWrite(const SuiteReport& report) {
    for (const ReportTable& table : tablesOf(report)) output("{}\n", asText(table));
    writeFileAtomically(report.folder / "suite.json", jsonText(suiteToJson(report), 2) + "\n");
}

void writePage(Context& context, const SuiteReport& report) {
    std::set<std::string> devices, versions;
    for (const SuiteRun& run : report.runs) {
        if (!report.results.run(run.scene, run.preset, run.seed)) continue;
        const nlohmann::json metrics = metricsOf(run);
        devices.insert(metrics.at("device"));
        versions.insert(metrics.at("version"));
    }
    for (const MergedRun& run : report.merged) {
        devices.insert(run.device());
        versions.insert(run.version());
    }
    const gpu::Device& device = context.device();
    const auto inUse = gpu::describeDevices(device.instance()).at(device.index());
    const ReportPage page{.title = escapedName(report.suite.file.filename().string()),
                          .facts = {fmt::format("Machine: {}", machineText()), fmt::format("Device: {}", fmt::join(devices, ", ")),
                                    fmt::format("Driver of {}: {}, Vulkan {}", inUse.name, inUse.driver, inUse.api),
                                    fmt::format("Splatwright {}", fmt::join(versions, ", "))},
                          .tables = tablesOf(report),
                          .charts = {{"Training", toSvg(suiteCurves(report.runs, report.results))}},
                          .pictures = worstViews(context, report.runs, report.results)};
    writeFileAtomically(report.folder / "suite.html", toHtml(page));
}

}  // namespace splat::app
