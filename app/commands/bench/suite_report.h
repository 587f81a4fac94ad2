#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <splatwright/train/suite/suite_results.h>
#include "commands/bench/suite_merge.h"
#include "commands/context.h"

namespace splat::app {

/// A suite with the results of its complete runs.
struct SuiteReport {
    const Suite& suite;
    const std::vector<SuiteRun>& runs;
    const std::vector<MergedRun>& merged;
    SuiteResults results;
    std::optional<size_t> base;  ///< preset that the others are compared to
    bool leaveOneOut = false;    ///< with a base and several scenes
    std::filesystem::path folder;
};

/// Names of the suite's scenes or presets.
template <class Item>
std::vector<std::string> namesOf(const std::vector<Item>& items) {
    std::vector<std::string> names;
    for (const Item& item : items) names.push_back(item.name);
    return names;
}

/// Prints the tables and writes suite.json.
void printAndWrite(const SuiteReport& report);

/// Writes suite.html; renders the worst views with the context's device.
void writePage(Context& context, const SuiteReport& report);

}  // namespace splat::app
