#include "commands/interrupt.h"

#include <csignal>

namespace splat::app {

namespace {

volatile std::sig_atomic_t requestedBySignal = 0;  // a signal handler can reach nothing else

void onSignal(int) {
    requestedBySignal = 1;
    std::signal(SIGINT, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
    requestedBySignal = 0;
    std::signal(SIGINT, onSignal);
}

Interrupt::~Interrupt() { std::signal(SIGINT, SIG_DFL); }

bool Interrupt::requested() const { return requestedBySignal != 0; }

}  // namespace splat::app
