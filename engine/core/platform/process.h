#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <splatwright/core/platform/file.h>

namespace splat::platform {

/// How a process ended.
struct Ending {
    int code = 0;       ///< exit status; meaningless after a signal
    int signal = 0;     ///< signal that ended it; 0: none, as always on Windows
    bool known = true;  ///< false where SIGCHLD is ignored: the system then forgets how programs end
};

/// "9 (Killed)".
std::string signalText(int signal);

/// Ends of pipes that a program gets as its streams; without an input, it has an empty one.
struct ProgramStreams {
    const File &input, &output, &errors;
};

/// A program in a process group of its own, so that a Ctrl-C reaches it through this one only. It goes on when this object ends.
class Process {
public:
    /// Starts a program, found on the PATH unless its name contains a slash. No shell reads the arguments, of which the first is the name. Throws Error.
    Process(const std::vector<std::string>& arguments, const ProgramStreams& streams);
    /// Starts this program once more without input; both its outputs replace a file. `arguments` follow its name. Throws Error.
    Process(const std::vector<std::string>& arguments, const std::filesystem::path& output);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    int64_t id() const;
    enum class Wait { no, yes };
    bool ended(Wait wait = Wait::no);
    /// Of a process that has ended.
    Ending ending() const;

    /// Asks the process alone to save what it has and to end. Returns whether it could be asked.
    bool terminate();
    /// From a request to what nobody can refuse.
    enum class Force { interrupt, terminate, kill };
    /// Ends the process and those that it has started.
    void endGroup(Force force);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Asks this process to end, as Process::terminate() does, when its parent ends in any way, or has ended.
void endWithParent(int64_t parent);

}  // namespace splat::platform
