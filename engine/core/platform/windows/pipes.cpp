#include <splatwright/core/platform/pipes.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include <splatwright/core/platform/windows/api.h>

namespace splat::platform {

namespace {

constexpr DWORD kPieceBytes = 65536;

/// This side of a pipe, whose transfer goes on in the background, and the program's. Anonymous pipes cannot be waited for.
class Pipe {
public:
    Pipe() = default;
    /// `direction` is this side's: PIPE_ACCESS_INBOUND or PIPE_ACCESS_OUTBOUND.
    explicit Pipe(DWORD direction) : event_(reinterpret_cast<intptr_t>(CreateEventW(nullptr, TRUE, FALSE, nullptr))) {
        static std::atomic<unsigned> made = 0;
        const std::wstring name = wide(fmt::format(R"(\\.\pipe\splatwright-{}-{})", GetCurrentProcessId(), made++));
        constexpr DWORD kFlags = FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE;
        ours_ = fileOf(CreateNamedPipeW(name.c_str(), direction | kFlags, PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, kPieceBytes,
                                        kPieceBytes, 0, nullptr));
        SECURITY_ATTRIBUTES inherited{.nLength = sizeof(SECURITY_ATTRIBUTES), .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
        const DWORD access = direction == PIPE_ACCESS_INBOUND ? GENERIC_WRITE : GENERIC_READ;
        if (ours_.isOpen()) programs = fileOf(CreateFileW(name.c_str(), access, 0, &inherited, OPEN_EXISTING, 0, nullptr));
        if (!programs.isOpen()) throw Error("a pipe cannot be opened: {}", lastError().message());
    }
    ~Pipe() { close(); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    bool isOpen() const { return ours_.isOpen(); }
    bool isBusy() const { return busy_; }
    HANDLE event() const { return handleOf(event_); }

    void startReading(std::span<std::byte> to) { start(ReadFile(handleOf(ours_), to.data(), countOf(to), nullptr, begin())); }
    void startWriting(std::span<const std::byte> from) { start(WriteFile(handleOf(ours_), from.data(), countOf(from), nullptr, begin())); }
    /// Bytes of the transfer that has ended; closes the pipe where the other side has.
    size_t finish() {
        DWORD bytes = 0;
        if (GetOverlappedResult(handleOf(ours_), &transfer_, &bytes, FALSE)) {
            busy_ = false;
        } else if (GetLastError() != ERROR_IO_INCOMPLETE) {
            close();
        }
        return bytes;
    }
    /// Waits until the system has let go of the memory of a transfer.
    void close() {
        DWORD bytes = 0;
        if (busy_ && CancelIoEx(handleOf(ours_), &transfer_)) GetOverlappedResult(handleOf(ours_), &transfer_, &bytes, TRUE);
        busy_ = false;
        ours_.close();
    }

    File programs;

private:
    template <class Bytes>
    static DWORD countOf(const Bytes& bytes) {
        return static_cast<DWORD>(std::min<size_t>(bytes.size(), kPieceBytes));
    }
    OVERLAPPED* begin() {
        transfer_ = {};
        transfer_.hEvent = event();
        return &transfer_;
    }
    void start(BOOL done) {
        busy_ = done || GetLastError() == ERROR_IO_PENDING;
        if (!busy_) ours_.close();  // the other side has closed it
    }

    File ours_, event_;
    OVERLAPPED transfer_{};
    bool busy_ = false;
};

}  // namespace

struct Pipes::Ends {
    std::array<std::byte, kPieceBytes> outputBytes{}, errorBytes{};
    std::span<const std::byte> rest;  ///< of the input, not yet taken
    Pipe output{PIPE_ACCESS_INBOUND}, errors{PIPE_ACCESS_INBOUND};
    std::unique_ptr<Pipe> input;  ///< null without one

    void startAll(const Handlers& handlers) {
        if (output.isOpen() && !output.isBusy()) output.startReading(outputBytes);
        if (errors.isOpen() && !errors.isBusy()) errors.startReading(errorBytes);
        if (!input || !input->isOpen() || input->isBusy()) return;
        if (rest.empty()) rest = handlers.input();
        rest.empty() ? input->close() : input->startWriting(rest);
    }
    static void finishReading(Pipe& pipe, std::span<const std::byte> bytes, const std::function<void(std::span<const std::byte>)>& take) {
        const size_t count = pipe.finish();
        if (count > 0) take(bytes.first(count));
    }
    void finish(const Pipe* ended, const Handlers& handlers) {
        if (ended == &output) return finishReading(output, outputBytes, handlers.output);
        if (ended == &errors) return finishReading(errors, errorBytes, handlers.errors);
        rest = rest.subspan(input->finish());
    }
    std::vector<Pipe*> busy() {
        std::vector<Pipe*> pipes;
        for (Pipe* pipe : {&output, &errors, input.get()}) {
            if (pipe && pipe->isBusy()) pipes.push_back(pipe);
        }
        return pipes;
    }
};

Pipes::Pipes(bool withInput) : ends_(std::make_unique<Ends>()) {
    if (withInput) ends_->input = std::make_unique<Pipe>(PIPE_ACCESS_OUTBOUND);
}

Pipes::~Pipes() = default;

ProgramStreams Pipes::programs() const {
    static const File none;
    return {ends_->input ? ends_->input->programs : none, ends_->output.programs, ends_->errors.programs};
}

void Pipes::closePrograms() {
    for (Pipe* pipe : {&ends_->output, &ends_->errors, ends_->input.get()}) {
        if (pipe) pipe->programs.close();
    }
}

bool Pipes::exchange(const Handlers& handlers, std::chrono::milliseconds wait) {
    ends_->startAll(handlers);
    const std::vector<Pipe*> busy = ends_->busy();
    if (busy.empty()) {
        Sleep(static_cast<DWORD>(wait.count()));
        return false;
    }
    std::vector<HANDLE> events;
    for (const Pipe* pipe : busy) events.push_back(pipe->event());
    const DWORD first = WaitForMultipleObjects(static_cast<DWORD>(events.size()), events.data(), FALSE, static_cast<DWORD>(wait.count()));
    if (first == WAIT_TIMEOUT) return false;
    for (const Pipe* pipe : busy) {
        if (WaitForSingleObject(pipe->event(), 0) == WAIT_OBJECT_0) ends_->finish(pipe, handlers);
    }
    return true;
}

bool Pipes::isOutputOpen() const { return ends_->output.isOpen(); }

void Pipes::closeInput() {
    if (ends_->input) ends_->input->close();
}

}  // namespace splat::platform
