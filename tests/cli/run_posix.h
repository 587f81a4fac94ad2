#pragma once

// How the tests run the binary on POSIX.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <splatwright/core/input_file.h>
#include "outcome.h"

namespace splat::test {

namespace fs = std::filesystem;

using Environment = std::vector<std::pair<std::string, std::string>>;

/// The environment of a user whose settings and caches are in the folder.
inline Environment withFolders(const fs::path& folder, Environment environment) {
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) environment.emplace_back(name, folder.string());
    return environment;
}

/// Exit code of a program that interruptWhen has ended.
inline constexpr int kInterrupted = 128 + SIGINT;

struct RunOptions {
    Environment environment;
    /// Sends the signal once this is true; asked a hundred times a second.
    std::function<bool()> interruptWhen;
    int signal = SIGINT;
    bool choosesDevice = false;  ///< the arguments say which device, not the environment of the tests
    uint64_t fileSizeLimit = 0;  ///< bytes; writing more fails as on a full disk; 0: no limit
    /// Called once when `train --hold-at STEP` has stopped the process, which then goes on: signals come at that step on every machine.
    std::function<void(pid_t)> whenHeld;
    std::function<void()> inChild;  ///< the last thing before the binary takes over
};

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

/// `folder` is for what it prints.
inline Outcome runIn(const fs::path& folder, std::vector<std::string> arguments, const RunOptions& options) {
    const pid_t child = fork();
    if (child == 0) becomeSplatwright(std::move(arguments), folder, options);
    Outcome outcome{.code = waitFor(child, options)};
    outcome.out = readTextFile(folder / "stdout");
    outcome.err = readTextFile(folder / "stderr");
    return outcome;
}

}  // namespace splat::test
