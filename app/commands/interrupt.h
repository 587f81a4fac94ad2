#pragma once

#include <splatwright/core/platform/stop_requests.h>
#include "commands/command.h"

namespace splat::app {

/// Thrown when work without results to save is interrupted.
struct Interrupted {
    Exit exit;
};

/// While it exists, a first request to end (Ctrl-C, SIGTERM, SIGHUP: see StopRequests) is only noted, so that work can stop at a point where it can
/// be saved. Only one object may exist at a time.
class Interrupt {
public:
    bool requested() const { return platform::StopRequests::first() != platform::StopRequest::none; }
    /// 128 plus the signal's number, once requested.
    Exit exit() const { return static_cast<Exit>(128 + static_cast<int>(platform::StopRequests::first())); }
    /// Throws Interrupted if an interrupt was requested.
    void check() const {
        if (requested()) throw Interrupted{exit()};
    }

private:
    platform::StopRequests requests_;
};

}  // namespace splat::app
