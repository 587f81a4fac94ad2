#include "commands/bench/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
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
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setpgroup(&attributes_, 0);  // so that a Ctrl-C reaches it through this program only
        sigset_t stop;
        sigemptyset(&stop);
        sigaddset(&stop, SIGTERM);
        posix_spawnattr_setsigdefault(&attributes_, &stop);  // it must not be ignored, however this program was started
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
    words.insert(words.begin(), {"splatwright", "train"});
    words.push_back(fmt::format("--child-of={}", getpid()));
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int error = SpawnSetup(outputFile).spawn(child, pointers.data());
    if (error != 0) throw Error("{}: a process cannot be started: {}", outputFile.string(), std::strerror(error));
    return child;
}

bool hasEnded(pid_t child, int& status, bool waits) {
    const pid_t ended = waitpid(child, &status, waits ? 0 : WNOHANG);
    if (ended >= 0 || errno == EINTR) return ended == child;
    throw Error("process {}: how it ended is unknown: {}", child, std::strerror(errno));
}

}  // namespace

std::string ChildEnd::text() const {
    if (signal == 0) return fmt::format("exit code {}", exitCode);
    return fmt::format("signal {} ({})", signal, strsignal(signal));
}

ChildEnd trainInChild(const std::vector<std::string>& arguments, const std::filesystem::path& outputFile,
                      const std::function<bool()>& stops) {
    const pid_t child = start(arguments, outputFile);
    int status = 0;
    bool told = false;
    while (!hasEnded(child, status, told)) {
        if (!told && stops()) told = kill(child, SIGTERM) == 0;
        if (!told) std::this_thread::sleep_for(kPolling);
    }
    if (WIFSIGNALED(status)) return {.exitCode = -1, .signal = WTERMSIG(status)};
    return {.exitCode = WEXITSTATUS(status)};
}

void endWithParent(pid_t parent) {
    // Linux sends it when the thread that started this process ends. That thread waits for this process, so it ends first only with its own.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) std::raise(SIGTERM);
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
