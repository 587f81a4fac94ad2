#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include "../scene/scratch.h"

namespace splat::test {

namespace fs = std::filesystem;
using nlohmann::json;

/// What a run of the binary left.
struct Outcome {
    int code = -1;  ///< exit code, or 128 + signal
    std::string out, err;
};

struct RunOptions {
    std::vector<std::pair<std::string, std::string>> environment;
    /// Sends the signal once this is true; asked a hundred times a second.
    std::function<bool()> interruptWhen;
    int signal = SIGINT;
    bool choosesDevice = false;  ///< the arguments say which device, not the environment of the tests
    uint64_t fileSizeLimit = 0;  ///< bytes; writing more fails as on a full disk; 0: no limit
    /// Called once when `train --hold-at STEP` has stopped the process, which then goes on: signals come at that step on every machine.
    std::function<void(pid_t)> whenHeld;
    std::function<void()> inChild;  ///< the last thing before the binary takes over
};

/// The device and the features that the other tests take (tests/support/test_device.h).
inline std::vector<std::string> deviceArguments() {
    std::vector<std::string> arguments;
    if (const char* device = std::getenv("SPLAT_DEVICE")) arguments.insert(arguments.end(), {"--device", device});
    const char* disabled = std::getenv("SPLAT_DISABLE");
    std::stringstream names(disabled ? disabled : "");
    for (std::string name; std::getline(names, name, ',');) arguments.insert(arguments.end(), {"--disable", name});
    if (const char* profile = std::getenv("SPLAT_PROFILE")) arguments.insert(arguments.end(), {"--profile", profile});
    return arguments;
}

[[noreturn]] inline void becomeSplatwright(std::vector<std::string> arguments, const fs::path& folder, const RunOptions& options) {
    setenv("XDG_CONFIG_HOME", folder.c_str(), 1);  // nothing reads or writes what the person here has chosen
    for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
    if (options.fileSizeLimit > 0) {
        const rlimit limit{options.fileSizeLimit, options.fileSizeLimit};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    const auto redirect = [&](const char* file, int descriptor) {
        dup2(open((folder / file).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), descriptor);
    };
    redirect("stdout", STDOUT_FILENO);
    redirect("stderr", STDERR_FILENO);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);  // whatever the tests themselves run under
    if (options.inChild) options.inChild();
    arguments.insert(arguments.begin(), SPLAT_BINARY);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(SPLAT_BINARY, pointers.data());
    _exit(127);
}

inline int waitFor(pid_t child, const RunOptions& options) {
    int status = 0;
    if (options.whenHeld && waitpid(child, &status, WUNTRACED) == child) {
        if (!WIFSTOPPED(status)) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        options.whenHeld(child);
        kill(child, SIGCONT);
    }
    bool sent = !options.interruptWhen;
    while (waitpid(child, &status, sent ? 0 : WNOHANG) == 0) {
        if (options.interruptWhen()) {
            kill(child, options.signal);
            sent = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Runs the binary as a process of its own.
inline Outcome splatwright(std::vector<std::string> arguments, const RunOptions& options = {}) {
    const Scratch scratch;
    const auto device = options.choosesDevice ? std::vector<std::string>{} : deviceArguments();
    arguments.insert(arguments.end(), device.begin(), device.end());
    const pid_t child = fork();
    if (child == 0) becomeSplatwright(std::move(arguments), scratch.path(), options);
    Outcome outcome{.code = waitFor(child, options)};
    outcome.out = readTextFile(scratch.path() / "stdout");
    outcome.err = readTextFile(scratch.path() / "stderr");
    return outcome;
}

inline void expectParts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in:\n" << text;
}

/// The run fails with this code and says all of this on standard error.
inline void expectFailure(const Outcome& outcome, int code, const std::vector<std::string>& parts) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    expectParts(outcome.err, parts);
}

inline void expectSuccess(const Outcome& outcome) { EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err; }

/// The lines of a run's log.jsonl.
inline std::vector<json> logOf(const fs::path& folder) {
    std::vector<json> lines;
    std::istringstream text(readTextFile(folder / "log.jsonl"));
    for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
    return lines;
}

inline json metricsOf(const fs::path& folder) { return json::parse(readTextFile(folder / "metrics.json")); }

/// A dataset of a few tiny views below the scratch folder, a copy of one that is made once per process and size.
inline fs::path tinyDataset(const Scratch& scratch, const std::string& name = "data", const std::string& size = "32x24") {
    static const Scratch originals;
    const fs::path original = originals.path() / size, path = scratch.path() / name;
    if (!fs::exists(original)) expectSuccess(splatwright({"synth", original, "--views", "6", "--size", size, "-q"}));
    fs::create_directories(path.parent_path());
    fs::copy(original, path, fs::copy_options::recursive);
    return path;
}

}  // namespace splat::test
