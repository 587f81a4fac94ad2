#include <splatwright/core/platform/process.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <thread>

#include <fmt/format.h>

#include <splatwright/core/child_process.h>
#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/core/platform/program.h>
#include <splatwright/core/platform/stop_requests.h>
#include <splatwright/core/platform/windows/api.h>

namespace splat::platform {

namespace fs = std::filesystem;

namespace {

constexpr UINT kKilled = 137;  // exit code of those that are ended at once, as shells on other systems have it

std::wstring commandLineOf(const std::vector<std::string>& words) {
    std::wstring line;
    for (const std::string& word : words) line += (line.empty() ? L"" : L" ") + quoted(wide(word));
    return line;
}

/// A file that the program inherits.
File openInherited(const fs::path& path, DWORD access, DWORD disposition) {
    SECURITY_ATTRIBUTES inherited{.nLength = sizeof(SECURITY_ATTRIBUTES), .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
    return fileOf(CreateFileW(path.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, disposition, 0, nullptr));
}

File openNothing() { return openInherited(L"NUL", GENERIC_READ, OPEN_EXISTING); }

/// Lets a program inherit its three streams and no other handle.
class Inheritance {
public:
    explicit Inheritance(const ProgramStreams& streams)
        : handles_{handleOf(streams.input), handleOf(streams.output), handleOf(streams.errors)} {
        SIZE_T bytes = 0;
        InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
        memory_.resize(bytes);
        InitializeProcThreadAttributeList(list(), 1, 0, &bytes);
        // Both outputs may be one; a handle is listed once.
        const size_t count = handles_[1] == handles_[2] ? 2 : 3;
        UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(), count * sizeof(HANDLE), nullptr, nullptr);
    }
    ~Inheritance() { DeleteProcThreadAttributeList(list()); }
    Inheritance(const Inheritance&) = delete;
    Inheritance& operator=(const Inheritance&) = delete;

    STARTUPINFOEXW startup() {
        STARTUPINFOEXW info{};
        info.StartupInfo = {.cb = sizeof(info),
                            .dwFlags = STARTF_USESTDHANDLES,
                            .hStdInput = handles_[0],
                            .hStdOutput = handles_[1],
                            .hStdError = handles_[2]};
        info.lpAttributeList = list();
        return info;
    }

private:
    LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

    std::array<HANDLE, 3> handles_;
    std::vector<std::byte> memory_;
};

}  // namespace

struct Process::State {
    DWORD id = 0;
    File process, job;  ///< the job has the process and those that it starts

    std::error_code start(const fs::path& program, const std::vector<std::string>& words, const ProgramStreams& streams) {
        Inheritance inheritance(streams);
        STARTUPINFOEXW startup = inheritance.startup();
        PROCESS_INFORMATION made{};
        std::wstring line = commandLineOf(words);
        constexpr DWORD kFlags = CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT;
        if (!CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, kFlags, nullptr, nullptr, &startup.StartupInfo, &made))
            return lastError();
        const File thread = fileOf(made.hThread);
        process = fileOf(made.hProcess);
        job = File(reinterpret_cast<intptr_t>(CreateJobObjectW(nullptr, nullptr)));
        id = made.dwProcessId;
        AssignProcessToJobObject(handleOf(job), made.hProcess);  // before it can start others
        ResumeThread(made.hThread);
        return {};
    }
    bool ask() const {
        const HANDLE event = OpenEventW(EVENT_MODIFY_STATE, FALSE, stopEventOf(id).c_str());
        if (!event) return GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, id);  // another's program
        const File closer = fileOf(event);
        return SetEvent(event);
    }
};

Process::Process(const std::vector<std::string>& arguments, const ProgramStreams& streams) : state_(std::make_unique<State>()) {
    SPLAT_CHECK(!arguments.empty(), "a program without a name");
    const File nothing = streams.input.isOpen() ? File() : openNothing();
    const fs::path program = findProgram(arguments[0]);
    const std::error_code failed =
        program.empty()
            ? std::make_error_code(std::errc::no_such_file_or_directory)
            : state_->start(program, arguments, {streams.input.isOpen() ? streams.input : nothing, streams.output, streams.errors});
    if (failed) throw Error("{}: cannot be started: {}", printable(arguments[0]), failed.message());
}

Process::Process(const std::vector<std::string>& arguments, const fs::path& output) : state_(std::make_unique<State>()) {
    const File nothing = openNothing(), file = openInherited(output, FILE_APPEND_DATA | SYNCHRONIZE | GENERIC_WRITE, CREATE_ALWAYS);
    std::error_code failed = errorIf(!file.isOpen());
    std::vector<std::string> words{"splatwright"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    if (!failed) failed = state_->start(programFile(), words, {nothing, file, file});
    if (failed) throw Error("{}: a process cannot be started: {}", output.string(), failed.message());
}

Process::~Process() = default;

int64_t Process::id() const { return state_->id; }

bool Process::ended(Wait wait) { return WaitForSingleObject(handleOf(state_->process), wait == Wait::yes ? INFINITE : 0) == WAIT_OBJECT_0; }

Ending Process::ending() const {
    DWORD code = 0;
    GetExitCodeProcess(handleOf(state_->process), &code);
    return {.code = static_cast<int>(code), .signal = 0};
}

bool Process::terminate() { return state_->ask(); }

/// Without a console, programs of others cannot be asked.
void Process::endGroup(Force force) {
    if (force == Force::kill || !state_->ask()) TerminateJobObject(handleOf(state_->job), kKilled);
}

std::string signalText(int signal) { return fmt::format("{}", signal); }

void endWithParent(int64_t parent) {
    const HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(parent));
    if (!process) return stopThisProcess();
    std::thread([process] {
        WaitForSingleObject(process, INFINITE);
        stopThisProcess();
    }).detach();
}

}  // namespace splat::platform
