#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands/bench/suite_run.h"

namespace splat::app {

/// A run that another call has trained, and what its suite.json says of it.
struct MergedRun {
    SuiteRun run;
    nlohmann::ordered_json entry;
    Figures figures{};

    std::string version() const { return entry.at("version"); }
    std::string device() const { return entry.at("device"); }
};

/// Takes the runs that these files (suite.json of other calls) have results of out of the plan; other results in them are left out. Throws
/// InputError for a file without results, for a result with other settings than planned, and for a second one of the same run.
std::vector<MergedRun> takeMerged(std::vector<SuiteRun>& planned, const std::vector<std::string>& files);

}  // namespace splat::app
