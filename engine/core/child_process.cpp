#include <splatwright/core/child_process.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/line_splitter.h>
#include <splatwright/core/names.h>
#include <splatwright/core/shell_quoted.h>

namespace splat {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr auto kGrace = 2000ms;  // between the signals that end a program: COLMAP closes its database in this time

/// A descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }
    bool open() const { return number_ >= 0; }
    void set(int number) {
        close();
        number_ = number;
    }
    void close() {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }

private:
    int number_;
};

struct Pipe {
    Descriptor read, write;

    Pipe() {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("a pipe cannot be opened: {}", std::strerror(errno));
        read.set(ends[0]);
        write.set(ends[1]);
    }
};

/// A program's standard input. It is a pair of sockets, because a pipe whose reader has gone would raise a signal.
class Input {
public:
    explicit Input(const ChildCommand& command) : command_(command) {
        if (!command.input) return;
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw Error("a pair of sockets cannot be opened: {}", std::strerror(errno));
        write_.set(ends[0]);
        programs_.set(ends[1]);
    }
    /// The program's end, or -1 without input.
    int programs() const { return programs_.number(); }
    void closePrograms() { programs_.close(); }
    /// What to wait for until there is room in it.
    pollfd waiting() const { return {write_.number(), POLLOUT, 0}; }
    void feed() {
        if (rest_.empty()) rest_ = command_.input();
        if (rest_.empty()) return write_.close();
        const ssize_t sent = send(write_.number(), rest_.data(), rest_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (sent < 0) return write_.close();  // the program reads no more: how it ends says why
        rest_ = rest_.subspan(static_cast<size_t>(sent));
    }
    void close() { write_.close(); }

private:
    const ChildCommand& command_;
    Descriptor write_, programs_;
    std::span<const std::byte> rest_;
};

/// The log of a program's lines; does nothing without a path.
class Log {
public:
    explicit Log(const fs::path& path) : path_(path) {
        if (path.empty()) return;
        file_.set(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
        if (!file_.open()) fail();
    }
    void line(std::string_view text) const {
        if (!file_.open()) return;
        std::string rest = std::string(text) + '\n';
        while (!rest.empty()) {
            const ssize_t written = ::write(file_.number(), rest.data(), rest.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail();
            rest.erase(0, static_cast<size_t>(written));
        }
    }

private:
    [[noreturn]] void fail() const { throw Error("{}: cannot be written: {}", path_.string(), std::strerror(errno)); }

    fs::path path_;
    Descriptor file_;
};

/// A running program. Its destructor ends the whole group.
class Child {
public:
    Child(const std::vector<std::string>& arguments, int input, int output, int errors);
    ~Child() {
        if (process_ > 0) stop();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Whether it has ended, without waiting.
    bool ended() {
        if (process_ == 0) return true;
        const pid_t found = waitpid(process_, &status_, WNOHANG);
        lost_ = found < 0 && errno == ECHILD;
        if (found == process_ || lost_) process_ = 0;
        return process_ == 0;
    }
    ChildResult result() const {
        if (lost_) throw Error("{}: how it ended is not known, because SIGCHLD is ignored; expected its default", name_);
        if (WIFSIGNALED(status_)) return {.code = 0, .signal = WTERMSIG(status_), .lastLines = {}};
        return {.code = WEXITSTATUS(status_), .signal = 0, .lastLines = {}};
    }

private:
    void stop() {
        for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
            if (process_ > 0) kill(-process_, signal);
            const auto end = std::chrono::steady_clock::now() + kGrace;
            while (!ended() && (signal == SIGKILL || std::chrono::steady_clock::now() < end)) std::this_thread::sleep_for(10ms);
            if (process_ == 0) return;
        }
    }

    std::string name_;
    pid_t process_ = 0;
    int status_ = 0;
    bool lost_ = false;  ///< where SIGCHLD is ignored, the system forgets how programs end
};

/// What posix_spawn is told: outputs, an input (-1: an empty one), a group of its own, and signals as programs expect them.
struct SpawnPlan {
    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};

    SpawnPlan(int input, int output, int errors) {
        posix_spawn_file_actions_init(&actions);
        if (input >= 0)
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        else
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setpgroup(&attributes, 0);
        sigset_t defaults;
        sigemptyset(&defaults);
        for (const int signal : {SIGPIPE, SIGCHLD}) sigaddset(&defaults, signal);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
};

Child::Child(const std::vector<std::string>& arguments, int input, int output, int errors) {
    SPLAT_CHECK(!arguments.empty(), "a program without a name");
    name_ = printable(arguments[0]);
    std::vector<std::string> copies = arguments;
    std::vector<char*> pointers;
    for (std::string& argument : copies) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const SpawnPlan plan(input, output, errors);
    const int problem = posix_spawnp(&process_, pointers[0], &plan.actions, &plan.attributes, pointers.data(), environ);
    if (problem == 0) return;
    process_ = 0;
    throw Error("{}: cannot be started: {}", name_, std::strerror(problem));
}

/// The streams of a program, as they are read and fed.
class Reader {
public:
    Reader(const ChildCommand& command, const Log& log)
        : command_(command), lines_([this, &log](std::string_view line) { take(line, log); }) {}

    /// Reads what has come and feeds what there is room for; waits for either at most this long. Returns whether there was anything.
    bool read(Descriptor& output, Descriptor& errors, Input& input, std::chrono::milliseconds wait) {
        std::array<pollfd, 3> waiting{pollfd{output.number(), POLLIN, 0}, pollfd{errors.number(), POLLIN, 0}, input.waiting()};
        if (poll(waiting.data(), waiting.size(), static_cast<int>(wait.count())) <= 0) return false;
        if (waiting[0].revents != 0) drain(output, true);
        if (waiting[1].revents != 0) drain(errors, false);
        if (waiting[2].revents != 0) input.feed();
        return true;
    }
    std::string finish() {
        lines_.finish();
        std::string text;
        for (const std::string& line : last_) text += (text.empty() ? "" : "\n") + line;
        return text;
    }

private:
    static constexpr size_t kLastLines = 5;

    void drain(Descriptor& from, bool isOutput) {
        const ssize_t count = ::read(from.number(), buffer_.data(), buffer_.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (count <= 0) return from.close();
        const auto bytes = std::span(buffer_).first(static_cast<size_t>(count));
        if (isOutput && command_.onOutput) return command_.onOutput(std::as_bytes(bytes));
        lines_.add({bytes.data(), bytes.size()});
    }
    void take(std::string_view line, const Log& log) {
        log.line(line);
        if (line.empty()) return;
        last_.emplace_back(line);
        if (last_.size() > kLastLines) last_.erase(last_.begin());
        if (command_.onLine) command_.onLine(line);
    }

    const ChildCommand& command_;
    LineSplitter lines_;
    std::vector<std::string> last_;
    std::array<char, 65536> buffer_{};
};

bool isProgram(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string ChildResult::ending() const {
    return signal != 0 ? fmt::format("ended by signal {} ({})", signal, strsignal(signal)) : fmt::format("exit code {}", code);
}

ChildResult runChild(const ChildCommand& command) {
    const Log log(command.log);
    std::string commandLine = "$";
    for (const std::string& argument : command.arguments) commandLine += " " + shellQuoted(argument);
    log.line(commandLine);
    Pipe output, errors;
    Input input(command);
    Child child(command.arguments, input.programs(), output.write.number(), errors.write.number());
    input.closePrograms();
    output.write.close();
    errors.write.close();
    Reader reader(command, log);
    // A grandchild may keep the streams open, so the program's own end counts, not theirs.
    while (!child.ended()) {
        if (command.check) command.check();
        reader.read(output.read, errors.read, input, output.read.open() ? 100ms : 10ms);
    }
    input.close();
    while (reader.read(output.read, errors.read, input, 0ms)) {
    }
    ChildResult result = child.result();
    result.lastLines = reader.finish();
    return result;
}

fs::path findProgram(const std::string& name) {
    if (name.find('/') != std::string::npos) return isProgram(name) ? fs::path(name) : fs::path();
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
        if (isProgram(file)) return file;
    }
    return {};
}

std::string asArgument(const fs::path& path) {
    const std::string text = path.string();
    return text.starts_with('-') ? "./" + text : text;
}

}  // namespace splat
