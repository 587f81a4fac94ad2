#include <splatwright/core/platform/pipes.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <cerrno>

#include <splatwright/core/error.h>
#include <splatwright/core/platform/posix/descriptor.h>

namespace splat::platform {

namespace {

/// One direction: ours is read from, or written to.
struct Pipe {
    File ours, programs;
};

Pipe outputPipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("a pipe cannot be opened: {}", lastError().message());
    return {File(ends[0]), File(ends[1])};
}

/// A pair of sockets, because a pipe whose reader has gone would raise a signal.
Pipe inputPipe() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error("a pair of sockets cannot be opened: {}", lastError().message());
    return {File(ends[0]), File(ends[1])};
}

}  // namespace

struct Pipes::Ends {
    Pipe output = outputPipe(), errors = outputPipe(), input;
    std::span<const std::byte> rest;  ///< of the input, not yet taken
    std::array<std::byte, 65536> buffer{};

    void drain(File& from, const std::function<void(std::span<const std::byte>)>& take) {
        const ssize_t count = ::read(descriptorOf(from), buffer.data(), buffer.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (count <= 0) return static_cast<void>(from.close());
        take(std::span(buffer).first(static_cast<size_t>(count)));
    }
    void feed(const std::function<std::span<const std::byte>()>& next) {
        if (rest.empty()) rest = next();
        if (rest.empty()) return static_cast<void>(input.ours.close());
        const ssize_t sent = send(descriptorOf(input.ours), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (sent < 0) return static_cast<void>(input.ours.close());  // the program reads no more: how it ends says why
        rest = rest.subspan(static_cast<size_t>(sent));
    }
};

Pipes::Pipes(bool withInput) : ends_(std::make_unique<Ends>()) {
    if (withInput) ends_->input = inputPipe();
}

Pipes::~Pipes() = default;

ProgramStreams Pipes::programs() const { return {ends_->input.programs, ends_->output.programs, ends_->errors.programs}; }

void Pipes::closePrograms() {
    for (Pipe* pipe : {&ends_->input, &ends_->output, &ends_->errors}) pipe->programs.close();
}

bool Pipes::exchange(const Handlers& handlers, std::chrono::milliseconds wait) {
    Ends& ends = *ends_;
    std::array<pollfd, 3> waiting{pollfd{descriptorOf(ends.output.ours), POLLIN, 0}, pollfd{descriptorOf(ends.errors.ours), POLLIN, 0},
                                  pollfd{descriptorOf(ends.input.ours), POLLOUT, 0}};  // closed ones count for nothing
    if (poll(waiting.data(), waiting.size(), static_cast<int>(wait.count())) <= 0) return false;
    if (waiting[0].revents != 0) ends.drain(ends.output.ours, handlers.output);
    if (waiting[1].revents != 0) ends.drain(ends.errors.ours, handlers.errors);
    if (waiting[2].revents != 0) ends.feed(handlers.input);
    return true;
}

bool Pipes::isOutputOpen() const { return ends_->output.ours.isOpen(); }

void Pipes::closeInput() { ends_->input.ours.close(); }

}  // namespace splat::platform
