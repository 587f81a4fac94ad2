#pragma once

// How the tests run the binary on Windows, where processes are started as the engine does it.
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <splatwright/core/platform/pipes.h>
#include <splatwright/core/platform/process.h>
#include <splatwright/core/platform/program.h>
#include "outcome.h"

namespace splat::test {

namespace fs = std::filesystem;

using Environment = std::vector<std::pair<std::string, std::string>>;

/// The environment of a user whose settings and caches are in the folder.
inline Environment withFolders(const fs::path& folder, Environment environment) {
    for (const char* name : {"USERPROFILE", "APPDATA", "LOCALAPPDATA"}) environment.emplace_back(name, folder.string());
    return environment;
}

/// Exit code of a program that interruptWhen has ended.
inline constexpr int kInterrupted = 143;

struct RunOptions {
    Environment environment;
    /// Asks the program to end once this is true; asked twenty times a second.
    std::function<bool()> interruptWhen;
    bool choosesDevice = false;  ///< the arguments say which device, not the environment of the tests
};

/// Sets variables of this process, whose children get them, and puts back what was there.
class Variables {
public:
    explicit Variables(const Environment& values) {
        for (const auto& [name, value] : values) {
            const char* before = std::getenv(name.c_str());
            before_.emplace_back(name, before ? before : "");
            platform::setEnvironment(name.c_str(), value.c_str());
        }
    }
    ~Variables() {
        for (const auto& [name, value] : before_) platform::setEnvironment(name.c_str(), value.c_str());
    }
    Variables(const Variables&) = delete;
    Variables& operator=(const Variables&) = delete;

private:
    Environment before_;
};

/// `folder` is for its settings: nothing reads or writes what the person here has chosen.
inline Outcome runIn(const fs::path& folder, std::vector<std::string> arguments, const RunOptions& options) {
    using namespace std::chrono_literals;
    const Variables settings({{"APPDATA", folder.string()}});
    const Variables variables(options.environment);
    arguments.insert(arguments.begin(), SPLAT_BINARY);
    platform::Pipes pipes(false);
    platform::Process process(arguments, pipes.programs());
    pipes.closePrograms();
    Outcome outcome;
    const auto into = [](std::string& text) {
        return [&text](std::span<const std::byte> bytes) { text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); };
    };
    const platform::Pipes::Handlers handlers{.output = into(outcome.out), .errors = into(outcome.err), .input = {}};
    bool asked = !options.interruptWhen;
    while (!process.ended()) {
        pipes.exchange(handlers, 50ms);
        if (!asked && options.interruptWhen()) asked = process.terminate();
    }
    while (pipes.exchange(handlers, 0ms)) {
    }
    outcome.code = process.ending().code;
    return outcome;
}

}  // namespace splat::test
