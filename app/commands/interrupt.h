#pragma once

#include <array>
#include <csignal>

#include "commands/command.h"

namespace splat::app {

/// Thrown where work stops that has nothing to save.
struct Interrupted {
    Exit exit;
};

/// While one lives, the first Ctrl-C, SIGTERM or SIGHUP only raises a flag, so that work can stop where it can be saved. Later ones do
/// nothing, because shells, systemd and timeout send several; only a Ctrl-C more than a second after the first ends the process at once.
/// Signals that were ignored when this began stay ignored (nohup). One at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool requested() const;
    /// 128 and the signal's number; for when it is requested.
    Exit exit() const;
    /// Throws Interrupted when it is requested.
    void check() const;

    static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

private:
    std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace splat::app
