#include "commands/bench/suite_merge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <splatwright/core/error.h>
#include <splatwright/core/parse_json.h>

namespace splat::app {

namespace {

using json = nlohmann::ordered_json;

Figures figuresIn(const json& entry) {
    Figures figures{};
    for (size_t i = 0; i < kFigures; ++i) {
        const json& value = entry.at("figures").at(std::string(figureTable()[i].name));
        figures[i] = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
    }
    return figures;
}

/// Throws json::exception for an entry that is not as suite.json has them.
MergedRun merged(const std::string& file, const SuiteRun& run, const json& entry) {
    if (nlohmann::json(entry.at("settings")) != settingsOf(run))
        throw InputError("{}: {}: its settings are not those that the suite plans", file, run.name);
    MergedRun found{.run = run, .entry = entry, .figures = figuresIn(entry)};
    found.version();
    found.device();
    return found;
}

void takeFrom(const std::string& file, const json& results, std::vector<SuiteRun>& planned, std::vector<MergedRun>& taken) {
    for (const json& entry : results.at("runs")) {
        const auto name = entry.at("name").get<std::string>();
        if (std::ranges::any_of(taken, [&](const MergedRun& other) { return other.run.name == name; }))
            throw InputError("--merge: {}: {} has a result in a file before", file, name);
        const auto run = std::ranges::find(planned, name, &SuiteRun::name);
        if (run == planned.end()) continue;
        taken.push_back(merged(file, *run, entry));
        planned.erase(run);
    }
}

}  // namespace

std::vector<MergedRun> takeMerged(std::vector<SuiteRun>& planned, const std::vector<std::string>& files) {
    std::vector<MergedRun> taken;
    for (const std::string& file : files) {
        try {
            takeFrom(file, json(readJson(file)), planned, taken);
        } catch (const json::exception& problem) {
            throw InputError("--merge: {}: expected the suite.json of a `bench train`: {}", file, problem.what());
        }
    }
    return taken;
}

}  // namespace splat::app
