#pragma once

#include <array>
#include <csignal>

#include "commands/command.h"

namespace splat::app {

/// Thrown when work without results to save is interrupted.
struct Interrupted {
    Exit exit;
};

/// While it exists, the first Ctrl-C, SIGTERM or SIGHUP only sets a flag, so that work can stop at a point where it can be saved. Later signals are
/// ignored, because shells, systemd and timeout send several; only a Ctrl-C more than a second later ends the process at once. Signals that were
/// ignored before stay ignored (nohup); only one object may exist at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool requested() const;
    /// 128 plus the signal's number, once requested.
    Exit exit() const;
    /// Throws Interrupted if an interrupt was requested.
    void check() const;

    static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

private:
    std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace splat::app
