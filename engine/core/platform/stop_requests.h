#pragma once

#include <memory>

namespace splat::platform {

/// Requests to end this process, by the number of the signal that they are on POSIX: an exit code of 128 more says which it was.
enum class StopRequest { none = 0, hangUp = 1, interrupt = 2, terminate = 15 };

/// While it exists, the first Ctrl-C, SIGTERM or SIGHUP (on Windows Ctrl-C, Ctrl-Break, or the closing of the console or session) is only noted, so
/// that work can stop at a point where it can be saved. Later ones are ignored, because shells, systemd and timeout send several; only a Ctrl-C more
/// than a second later ends the process at once. Signals that were ignored before stay ignored (nohup); only one object may exist at a time.
class StopRequests {
public:
    StopRequests();
    ~StopRequests();
    StopRequests(const StopRequests&) = delete;
    StopRequests& operator=(const StopRequests&) = delete;

    static StopRequest first();

private:
    struct Handlers;
    std::unique_ptr<Handlers> before_;
};

/// Notes a request; may be called in a signal handler. Returns whether the user insists: whether this should end the process at once.
bool noteStopRequest(StopRequest request);
void forgetStopRequests();

}  // namespace splat::platform
