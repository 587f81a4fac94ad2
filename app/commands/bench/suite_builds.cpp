#include "commands/bench/suite_builds.h"

#include <fmt/format.h>

#include "viewer/files/build_version.h"

namespace splat::app {

namespace {

struct Build {
    std::string version, of;  ///< of: what it has trained
};

}  // namespace

std::optional<std::string> mixedBuilds(std::span<const SuiteRun> runs, bool willTrain) {
    std::optional<Build> one;
    if (willTrain) one = {programVersion(), "this program, which trains the others"};
    for (const SuiteRun& run : runs) {
        if (stateOf(run) != RunState::complete) continue;
        const Build own{metricsOf(run).at("version").get<std::string>(), run.name};
        if (!one) one = own;
        if (own.version == one->version) continue;
        return fmt::format(
            "{}: its build is {}, expected {}, that of {}: one table never mixes builds; --force trains all runs again, and "
            "another OUT keeps both",
            own.of, own.version, one->version, one->of);
    }
    return std::nullopt;
}

}  // namespace splat::app
