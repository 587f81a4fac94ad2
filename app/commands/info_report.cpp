#include "commands/info_report.h"

#include <iterator>

#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/platform/program.h>
#include <splatwright/primitives/bench.h>
#include "commands/bench/bench_json.h"
#include "commands/bench/machine.h"
#include "viewer/files/build_version.h"

namespace splat::app {

namespace {

constexpr uint32_t kItems = 1u << 20u, kItemsOfSoftware = 1u << 14u;
constexpr primitives::BenchOptions kFewRuns{.runs = 5};

/// Of a JSON text, whose error messages name files.
std::string withoutHome(std::string text) {
    const std::string quoted = jsonText(nlohmann::json(platform::userFolder().string())), folder = quoted.substr(1, quoted.size() - 2);
    if (folder.size() < 2) return text;  // "/" is no secret
    for (size_t at = 0; (at = text.find(folder, at)) != std::string::npos; ++at) text.replace(at, folder.size(), "~");
    return text;
}

}  // namespace

nlohmann::json withTimings(gpu::Device& device, nlohmann::json info) {
    const std::vector<uint32_t> sizes{device.isSoftware() ? kItemsOfSoftware : kItems};
    std::vector<primitives::BenchRow> rows = primitives::benchSort(device, sizes, kFewRuns);
    std::ranges::move(primitives::benchScan(device, sizes, kFewRuns), std::back_inserter(rows));
    info["timings"] = toJson(rows);
    return info;
}

void writeInfoReport(const std::filesystem::path& file, const nlohmann::json& found) {
    nlohmann::json report{{"version", programVersion()}, {"machine", machineText()}};
    report.update(found);
    writeFileAtomically(file, withoutHome(jsonText(report, 2)) + "\n");
}

}  // namespace splat::app
