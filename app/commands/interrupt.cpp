#include "commands/interrupt.h"

#include <atomic>
#include <cstdint>
#include <ctime>

namespace splat::app {

namespace {

constexpr int64_t kInsists = 1000;  // milliseconds; repeated key presses are closer together

/// The first signal and the time it came, in one word, because signals may come on several threads at once: milliseconds << 8 | number.
std::atomic<int64_t> first = 0;
static_assert(std::atomic<int64_t>::is_always_lock_free, "a signal handler must not wait");

int64_t milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

Interrupt::Interrupt() {
    first = 0;
    struct sigaction ours {};
    ours.sa_handler = [](int number) {
        int64_t before = 0;
        const int64_t now = milliseconds();
        if (first.compare_exchange_strong(before, now << 8 | number)) return;
        if (number != SIGINT || now - (before >> 8) < kInsists) return;
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);  // held back until this returns
    };
    ours.sa_flags = SA_RESTART;  // nobody's reading or waiting fails for it
    for (size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &ours, nullptr);
    }
}

Interrupt::~Interrupt() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

bool Interrupt::requested() const { return first != 0; }

Exit Interrupt::exit() const { return static_cast<Exit>(128 + (first & 0xff)); }

void Interrupt::check() const {
    if (requested()) throw Interrupted{exit()};
}

}  // namespace splat::app
