#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/gpu/memory_budget.h>
#include <splatwright/gpu/profiles.h>
#include <splatwright/primitives/forward_progress.h>
#include <splatwright/primitives/group_scan.h>
#include <splatwright/primitives/subgroup_choice.h>
#include <splatwright/render/blend_self_test.h>
#include "commands/command.h"
#include "commands/info_report.h"
#include "commands/standard_output.h"
#include "kernels/all.h"
#include "kernels/project.h"

namespace splat::app {

namespace {

using nlohmann::json;

/// The devices, and what the one in use can do.
json describeDevices(Context& context) {
    gpu::Device& device = context.device();
    json info;
    const auto descriptions = gpu::describeDevices(device.instance());
    for (size_t i = 0; i < descriptions.size(); ++i) {
        const gpu::DeviceDescription& d = descriptions[i];
        info["devices"].push_back({{"index", i},
                                   {"name", d.name},
                                   {"type", d.type},
                                   {"api", d.api},
                                   {"driver", d.driver},
                                   {"memory", d.memory},
                                   {"used", i == device.index()},
                                   {"unsuitable", d.unsuitable}});
    }
    for (const gpu::FeatureRow& row : gpu::featureTable()) info["features"][std::string(row.name)] = device.has(row.feature);
    const primitives::ForwardProgress progress = primitives::forwardProgress(device);
    info["features"]["forward-progress"] = progress.present;
    info["forward_progress"] = progress.reason;
    info["slang"] = kernels::project::info().slang;
    return info;
}

json describeLimits(const gpu::Device& device) {
    const gpu::SubgroupSizes sizes = device.subgroupSizes();
    json limits{{"subgroup_size", device.subgroupSize()},
                {"smallest_subgroup", sizes.smallest},
                {"largest_subgroup", sizes.largest},
                {"timestamp_nanoseconds", device.limits().timestampPeriod}};
    for (const gpu::LimitRow& limit : gpu::limitTable()) limits[std::string(limit.name)] = limit.get(device.probe());
    return limits;
}

json describeProfile(const gpu::Device& device) {
    if (device.profile().empty()) return {};
    const std::string& deviceClass = gpu::profileByName(device.profile()).deviceClass;
    return {{"name", device.profile()}, {"class", deviceClass.empty() ? json() : json(deviceClass)}, {"not_proven", device.notProven()}};
}

/// Why the blend's kernels with subgroup operations are trusted, after their self tests where they have to be compared.
std::string describeBlend(Context& context) {
    gpu::Device& device = context.device();
    if (!device.has(gpu::Feature::subgroupOperations)) return "without subgroup operations";
    if (!needsBlendSelfTest(device)) return "lanes come together again: a promise of the device, or software";
    size_t excluded = 0;
    const auto count = [&](const gpu::KernelInfo* kernel) { excluded += device.excludes(*kernel) ? 1u : 0u; };
    try {
        settleBlend(device, context.sort());
        for (const AccumulationRow* row : accumulationTable()) settleAccumulation(device, context.sort(), *row);
    } catch (const Error& problem) {
        return fmt::format("not tested: {}", problem.what());
    }
    std::ranges::for_each(kernels::all(), count);
    return excluded == 0 ? "kernels passed a self test" : fmt::format("{} kernels gave wrong results and are not run", excluded);
}

json describeChoices(const std::vector<primitives::VariantChoice>& choices) {
    json variants = json::array();
    for (const auto& [variant, selected, reason] : choices)
        variants.push_back({{"name", variant}, {"selected", selected}, {"reason", reason}});
    return variants;
}

json describeSort(Context& context) {
    try {
        const primitives::SortSelfTest& test = context.sort().selfTest();
        return {{"variant", test.variant},
                {"self_test", test.passed},
                {"failures", test.failures},
                {"variants", describeChoices(test.choices)}};
    } catch (const Error& problem) {
        return {{"variant", nullptr}, {"self_test", false}, {"failures", problem.what()}, {"variants", json::array()}};
    }
}

/// The primitives that scan within workgroups, with the variant in use.
json describeSums(gpu::Device& device) {
    json sums;
    for (const auto& [primitive, name] : primitives::kSummings) {
        const auto test = primitives::groupScanSelfTest(device, primitive);
        const char* variant = primitives::kGroupScans[static_cast<size_t>(test->variant)].second;
        sums[name] = {{"variant", test->passed ? json(variant) : json(nullptr)},
                      {"self_test", test->passed},
                      {"failures", test->failures},
                      {"variants", describeChoices(test->choices)}};
    }
    return sums;
}

void printChoices(const json& variants) {
    for (const json& v : variants) {
        output("  {}{:<20} {}\n", v["selected"].get<bool>() ? '*' : ' ', v["name"].get<std::string>(), v["reason"].get<std::string>());
    }
}

void printSelfTest(const std::string& name, const json& test) {
    const std::string failures = test["failures"];
    output("{} {}, self test {}{}\n", name, test["variant"].dump(), test["self_test"].get<bool>() ? "passed" : "failed",
           failures.empty() ? "" : "\n  " + failures);
    printChoices(test["variants"]);
}

void printProfile(const json& profile) {
    if (profile.is_null()) return;
    const json& deviceClass = profile["class"];
    output("profile {}: {}\n", profile["name"].get<std::string>(),
           deviceClass.is_null() ? "for tests of fallbacks, no class of devices" : deviceClass.get<std::string>());
    for (const json& what : profile["not_proven"]) output("  not proven here: {}\n", what.get<std::string>());
}

void printInfo(const json& info) {
    constexpr double kGiB = 1 << 30;
    output("devices\n");
    for (const json& d : info["devices"]) {
        const std::string unsuitable = d["unsuitable"];
        output("  {}{} {} ({}), Vulkan {}, driver {}, {:.1f} GiB{}\n", d["used"].get<bool>() ? '*' : ' ', d["index"].get<size_t>(),
               d["name"].get<std::string>(), d["type"].get<std::string>(), d["api"].get<std::string>(), d["driver"].get<std::string>(),
               d["memory"].get<double>() / kGiB, unsuitable.empty() ? "" : ", cannot be used: " + unsuitable);
    }
    printProfile(info["profile"]);
    output("limits of the device in use (*)\n");
    for (const auto& [name, value] : info["limits"].items()) output("  {:<28} {}\n", name, value.dump());
    const json& budget = info["memory_budget"];
    if (budget.is_null()) {
        output("memory: the driver does not say how much of it is free\n");
    } else {
        output("memory: {:.1f} GiB at the moment, of which this program uses {:.1f}\n", budget["bytes"].get<double>() / kGiB,
               budget["used"].get<double>() / kGiB);
    }
    output("features (--disable turns one off)\n");
    for (const gpu::FeatureRow& row : gpu::featureTable()) {
        output("  {:<22} {:<4} {}\n", row.name, info["features"][std::string(row.name)].get<bool>() ? "yes" : "no", row.help);
    }
    output("forward progress: {}\n", info["forward_progress"].get<std::string>());
    output("lanes of a subgroup: {}\n", info["subgroups"]["size"].dump());
    printChoices(info["subgroups"]["variants"]);
    printSelfTest("sort", info["sort"]);
    for (const auto& [name, test] : info["sums"].items()) printSelfTest(name, test);
    output("blend with subgroup operations: {}\n", info["blend"].get<std::string>());
    const json& idle = info["kernels_not_run"];
    if (!idle.empty()) output("kernels that this device cannot run (others take their place)\n");
    for (const auto& [name, reason] : idle.items()) output("  {:<30} {}\n", name, reason.get<std::string>());
    output("shaders compiled by Slang {}\n", info["slang"].get<std::string>());
}

json describeKernelsNotRun(const gpu::Device& device) {
    json idle = json::object();
    for (const gpu::KernelInfo* kernel : kernels::all()) {
        const std::string missing = gpu::missingFor(device, *kernel);
        if (!missing.empty()) idle[kernel->name] = "needs " + missing;
    }
    return idle;
}

/// All results of `info` as JSON; the text output is made from it.
json describeAll(Context& context) {
    gpu::Device& device = context.device();
    json info = describeDevices(context);
    info["profile"] = describeProfile(device);
    info["limits"] = describeLimits(device);
    const auto budget = gpu::memoryBudget(device);  // what the driver grants this program at the moment, if it says
    info["memory_budget"] = budget ? json{{"bytes", budget->bytes}, {"used", budget->used}} : json();
    const auto subgroups = primitives::settleSubgroupSize(device);
    info["subgroups"] = {{"size", subgroups->size}, {"variants", describeChoices(subgroups->choices)}};
    info["sort"] = describeSort(context);
    info["sums"] = describeSums(device);
    info["blend"] = describeBlend(context);
    info["kernels_not_run"] = describeKernelsNotRun(device);
    return info;
}

bool passesSelfTests(const json& info) {
    bool passed = info["sort"]["self_test"].get<bool>();
    for (const json& test : info["sums"]) passed = passed && test["self_test"].get<bool>();
    return passed;
}

struct Options {
    bool json = false;
    std::string report;
};

Exit runInfo(Context& context, const Options& options) {
    if (!options.report.empty()) checkWritable(options.report);
    json info;
    try {
        info = describeAll(context);
    } catch (const Error& problem) {
        if (!options.report.empty()) writeInfoReport(options.report, {{"error", problem.what()}});
        throw;
    }
    if (!options.report.empty()) writeInfoReport(options.report, withTimings(context.device(), info));
    if (options.json) {
        output("{}\n", jsonText(info, 2));
    } else {
        printInfo(info);
    }
    if (!options.report.empty()) spdlog::info("{}: attach this file to a report of a problem", printable(options.report));
    return passesSelfTests(info) ? Exit::done : Exit::failed;
}

Run addInfo(CLI::App& command) {
    const auto options = std::make_shared<Options>();
    command.add_flag("--json", options->json,
                     "Print JSON: devices, profile, limits, memory_budget, features, forward_progress, subgroups, sort, sums, blend, "
                     "kernels_not_run, slang");
    command
        .add_option("--report", options->report,
                    "Also write all of it to this JSON file with build, machine and short timings, to attach to a report of a problem")
        ->type_name("FILE");
    return [options](Context& context) { return runInfo(context, *options); };
}

}  // namespace

extern const Command kInfoCommand{
    .name = "info",
    .summary = "List devices, limits, features and the selected kernel variants",
    .add = addInfo,
};

}  // namespace splat::app
