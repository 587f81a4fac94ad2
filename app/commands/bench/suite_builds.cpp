#include "commands/bench/suite_builds.h"

#include <fmt/format.h>

#include "viewer/files/build_version.h"

namespace splat::app {

namespace {

struct Build {
    std::string version, of;  ///< of: what it has trained
};

}  // namespace

std::optional<std::string> mixedBuilds(std::span<const SuiteRun> runs, std::span<const MergedRun> merged, bool willTrain) {
    std::vector<Build> builds;
    if (willTrain) builds.push_back({programVersion(), "this program, which trains the others"});
    for (const MergedRun& run : merged) builds.push_back({run.version(), run.run.name});
    for (const SuiteRun& run : runs) {
        if (stateOf(run) == RunState::complete) builds.push_back({metricsOf(run).at("version").get<std::string>(), run.name});
    }
    for (const Build& own : builds) {
        const Build& one = builds.front();
        if (own.version == one.version) continue;
        return fmt::format(
            "{}: its build is {}, expected {}, that of {}: one table never mixes builds; --force trains all runs again, and "
            "another OUT keeps both",
            own.of, own.version, one.version, one.of);
    }
    return std::nullopt;
}

}  // namespace splat::app
