#include "commands/bench/child.h"

#include <chrono>
#include <sstream>
#include <thread>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/platform/machine.h>
#include <splatwright/core/platform/process.h>

namespace splat::app {

namespace {

constexpr std::chrono::milliseconds kPolling{50};

using platform::Process;

std::vector<std::string> wordsOfTraining(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"train"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.push_back(fmt::format("--child-of={}", platform::thisProcess()));
    return words;
}

}  // namespace

std::string ChildEnd::text() const {
    if (signal == 0) return fmt::format("exit code {}", exitCode);
    return "signal " + platform::signalText(signal);
}

ChildEnd trainInChild(const std::vector<std::string>& arguments, const std::filesystem::path& outputFile,
                      const std::function<bool()>& stops) {
    Process child(wordsOfTraining(arguments), outputFile);
    bool told = false;
    while (!child.ended(told ? Process::Wait::yes : Process::Wait::no)) {
        if (!told && stops()) told = child.terminate();
        if (!told) std::this_thread::sleep_for(kPolling);
    }
    const platform::Ending ending = child.ending();
    if (!ending.known) throw Error("process {}: how it ended is unknown, because SIGCHLD is ignored", child.id());
    if (ending.signal != 0) return {.exitCode = -1, .signal = ending.signal};
    return {.exitCode = ending.code};
}

std::string lastLine(const std::filesystem::path& file) {
    std::string last;
    std::istringstream lines(mayExist(file) ? readTextFile(file) : "");
    for (std::string line; std::getline(lines, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
    }
    return printable(last);
}

}  // namespace splat::app
