#include <splatwright/core/child_process.h>

#include <chrono>
#include <thread>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/line_splitter.h>
#include <splatwright/core/names.h>
#include <splatwright/core/platform/file.h>
#include <splatwright/core/platform/pipes.h>
#include <splatwright/core/platform/process.h>
#include <splatwright/core/platform/program.h>
#include <splatwright/core/shell_quoted.h>

namespace splat {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr auto kGrace = 2000ms;  // between the signals that end a program: COLMAP closes its database in this time

/// The log of a program's lines; does nothing without a path.
class Log {
public:
    explicit Log(const fs::path& path) : path_(path) {
        if (path.empty()) return;
        std::error_code failed;
        file_ = platform::File(path, platform::OpenFor::logging, failed);
        require(failed);
    }
    void line(std::string_view text) const {
        if (!file_.isOpen()) return;
        const std::string whole = std::string(text) + '\n';
        auto rest = std::as_bytes(std::span(whole));
        require(file_.write(rest));
    }

private:
    void require(std::error_code failed) const {
        if (failed) throw Error("{}: cannot be written: {}", path_.string(), failed.message());
    }

    fs::path path_;
    platform::File file_;
};

/// A running program. Its destructor ends the whole group.
class Child {
public:
    Child(const std::vector<std::string>& arguments, const platform::ProgramStreams& streams)
        : process_(arguments, streams), name_(printable(arguments[0])) {}
    ~Child() {
        if (!ended_) stop();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Whether it has ended, without waiting.
    bool ended() { return ended_ = process_.ended(); }
    ChildResult result() const {
        const platform::Ending ending = process_.ending();
        if (!ending.known) throw Error("{}: how it ended is not known, because SIGCHLD is ignored; expected its default", name_);
        return {.code = ending.code, .signal = ending.signal, .lastLines = {}};
    }

private:
    void stop() {
        using enum platform::Process::Force;
        for (const auto force : {interrupt, terminate, kill}) {
            process_.endGroup(force);
            const auto end = std::chrono::steady_clock::now() + kGrace;
            while (!ended() && (force == kill || std::chrono::steady_clock::now() < end)) std::this_thread::sleep_for(10ms);
            if (ended()) return;
        }
    }

    platform::Process process_;
    std::string name_;
    bool ended_ = false;
};

/// Takes the output of a program, and gives its lines to the log and the command.
class Reader {
public:
    Reader(const ChildCommand& command, const Log& log)
        : command_(command), lines_([this, &log](std::string_view line) { take(line, log); }) {}

    platform::Pipes::Handlers handlers() {
        const auto addLines = [this](std::span<const std::byte> bytes) {
            lines_.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        };
        if (command_.onOutput) return {.output = command_.onOutput, .errors = addLines, .input = command_.input};
        return {.output = addLines, .errors = addLines, .input = command_.input};
    }
    std::string finish() {
        lines_.finish();
        std::string text;
        for (const std::string& line : last_) text += (text.empty() ? "" : "\n") + line;
        return text;
    }

private:
    static constexpr size_t kLastLines = 5;

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
};

/// The file that a program's name stands for in a folder; empty if none can be executed.
fs::path programAt(const fs::path& name) {
    for (const fs::path& file : platform::programFiles(name)) {
        if (platform::isProgram(file)) return file;
    }
    return {};
}

}  // namespace

std::string ChildResult::ending() const {
    return signal != 0 ? fmt::format("ended by signal {}", platform::signalText(signal)) : fmt::format("exit code {}", code);
}

ChildResult runChild(const ChildCommand& command) {
    const Log log(command.log);
    std::string commandLine = "$";
    for (const std::string& argument : command.arguments) commandLine += " " + shellQuoted(argument);
    log.line(commandLine);
    platform::Pipes pipes(static_cast<bool>(command.input));
    Child child(command.arguments, pipes.programs());
    pipes.closePrograms();
    Reader reader(command, log);
    const platform::Pipes::Handlers handlers = reader.handlers();
    // A grandchild may keep the streams open, so the program's own end counts, not theirs.
    while (!child.ended()) {
        if (command.check) command.check();
        pipes.exchange(handlers, pipes.isOutputOpen() ? 100ms : 10ms);
    }
    pipes.closeInput();
    while (pipes.exchange(handlers, 0ms)) {
    }
    ChildResult result = child.result();
    result.lastLines = reader.finish();
    return result;
}

fs::path findProgram(const std::string& name) {
    if (fs::path(name).has_parent_path()) return programAt(name);
    for (const fs::path& folder : platform::programFolders()) {
        if (const fs::path file = programAt(folder / name); !file.empty()) return file;
    }
    return {};
}

std::string asArgument(const fs::path& path) {
    const std::string text = path.string();
    return text.starts_with('-') ? "./" + text : text;
}

}  // namespace splat
