#include <splatwright/core/platform/process.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <initializer_list>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>

namespace splat::platform {

namespace {

/// What posix_spawn() sets up in a process: its streams, a group of its own, and signals that it does not ignore, however this program was started.
class SpawnPlan {
public:
    explicit SpawnPlan(std::initializer_list<int> defaultSignals) {
        posix_spawn_file_actions_init(&files_);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setpgroup(&attributes_, 0);
        sigset_t defaults;
        sigemptyset(&defaults);
        for (const int signal : defaultSignals) sigaddset(&defaults, signal);
        posix_spawnattr_setsigdefault(&attributes_, &defaults);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&files_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    void open(int stream, const char* path, int flags) { posix_spawn_file_actions_addopen(&files_, stream, path, flags, 0666); }
    void use(int stream, intptr_t descriptor) { posix_spawn_file_actions_adddup2(&files_, static_cast<int>(descriptor), stream); }

    using Spawn = decltype(posix_spawn);
    /// Returns errno's number, 0 for success.
    int start(pid_t& process, Spawn& spawn, const char* program, std::vector<std::string> words) const {
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        const int problem = spawn(&process, program, &files_, &attributes_, pointers.data(), environ);
        if (problem != 0) process = 0;
        return problem;
    }

private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

struct Process::State {
    pid_t id = 0;
    bool ended = false;
    int status = 0;
    bool lost = false;
};

Process::Process(const std::vector<std::string>& arguments, const ProgramStreams& streams) : state_(std::make_unique<State>()) {
    SPLAT_CHECK(!arguments.empty(), "a program without a name");
    SpawnPlan plan({SIGPIPE, SIGCHLD});
    if (streams.input.isOpen())
        plan.use(STDIN_FILENO, streams.input.handle());
    else
        plan.open(STDIN_FILENO, "/dev/null", O_RDONLY);
    plan.use(STDOUT_FILENO, streams.output.handle());
    plan.use(STDERR_FILENO, streams.errors.handle());
    const int problem = plan.start(state_->id, posix_spawnp, arguments[0].c_str(), arguments);
    if (problem != 0) throw Error("{}: cannot be started: {}", printable(arguments[0]), std::strerror(problem));
}

Process::Process(const std::vector<std::string>& arguments, const std::filesystem::path& output) : state_(std::make_unique<State>()) {
    SpawnPlan plan({SIGTERM});
    plan.open(STDIN_FILENO, "/dev/null", O_RDONLY);
    plan.open(STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    plan.use(STDERR_FILENO, STDOUT_FILENO);
    std::vector<std::string> words{"splatwright"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const int problem = plan.start(state_->id, posix_spawn, "/proc/self/exe", std::move(words));
    if (problem != 0) throw Error("{}: a process cannot be started: {}", output.string(), std::strerror(problem));
}

Process::~Process() = default;

int64_t Process::id() const { return state_->id; }

bool Process::ended(Wait wait) {
    if (state_->ended) return true;
    const pid_t found = waitpid(state_->id, &state_->status, wait == Wait::yes ? 0 : WNOHANG);
    state_->lost = found < 0 && errno == ECHILD;
    state_->ended = found == state_->id || state_->lost;
    return state_->ended;
}

Ending Process::ending() const {
    if (state_->lost) return {.known = false};
    if (WIFSIGNALED(state_->status)) return {.code = 0, .signal = WTERMSIG(state_->status)};
    return {.code = WEXITSTATUS(state_->status), .signal = 0};
}

bool Process::terminate() { return kill(state_->id, SIGTERM) == 0; }

void Process::endGroup(Force force) {
    const int signal = force == Force::interrupt ? SIGINT : force == Force::terminate ? SIGTERM : SIGKILL;
    if (!state_->ended) kill(-state_->id, signal);
}

std::string signalText(int signal) { return fmt::format("{} ({})", signal, strsignal(signal)); }

void endWithParent(int64_t parent) {
    // Linux sends it when the thread that started this process ends. That thread waits for this process, so it ends first only with its own.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) std::raise(SIGTERM);
}

}  // namespace splat::platform
