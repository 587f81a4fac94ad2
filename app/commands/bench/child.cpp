#include "commands/bench/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sstream>
#include <thread>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>

namespace splat::app {

namespace {

constexpr std::chrono::milliseconds kPolling{50};

/// What posix_spawn() sets up in the child.
class SpawnSetup {
public:
    explicit SpawnSetup(const std::filesystem::path& outputFile) {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, outputFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
        posix_spawn_file_actions_adddup2(&files_, STDOUT_FILENO, STDERR_FILENO);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);  // so that a Ctrl-C reaches it through this program only
        posix_spawnattr_setpgroup(&attributes_, 0);
    }
    ~SpawnSetup() {
        posix_spawn_file_actions_destroy(&files_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnSetup(const SpawnSetup&) = delete;
    SpawnSetup& operator=(const SpawnSetup&) = delete;

    /// Returns errno's number, 0 for success.
    int spawn(pid_t& child, char* const* arguments) const {
        return posix_spawn(&child, "/proc/self/exe", &files_, &attributes_, arguments, environ);
    }

private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

pid_t start(std::vector<std::string> words, const std::filesystem::path& outputFile) {
    words.insert(words.begin(), "splatwright");
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int error = SpawnSetup(outputFile).spawn(child, pointers.data());
    if (error != 0) throw Error("{}: a process cannot be started: {}", outputFile.string(), std::strerror(error));
    return child;
}

}  // namespace

std::string ChildEnd::text() const {
    if (signal == 0) return fmt::format("exit code {}", exitCode);
    return fmt::format("signal {} ({})", signal, strsignal(signal));
}

ChildEnd runChild(const std::vector<std::string>& arguments, const std::filesystem::path& outputFile, const std::function<bool()>& stops) {
    const pid_t child = start(arguments, outputFile);
    int status = 0;
    bool told = false;
    while (waitpid(child, &status, told ? 0 : WNOHANG) == 0) {
        if (!told && stops()) told = kill(child, SIGTERM) == 0;
        if (!told) std::this_thread::sleep_for(kPolling);
    }
    if (WIFSIGNALED(status)) return {.exitCode = -1, .signal = WTERMSIG(status)};
    return {.exitCode = WEXITSTATUS(status)};
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
