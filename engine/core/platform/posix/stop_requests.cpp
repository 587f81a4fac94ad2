#include <splatwright/core/platform/stop_requests.h>

#include <array>
#include <csignal>

namespace splat::platform {

namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
static_assert(SIGHUP == static_cast<int>(StopRequest::hangUp) && SIGINT == static_cast<int>(StopRequest::interrupt) &&
              SIGTERM == static_cast<int>(StopRequest::terminate));

void onSignal(int number) {
    if (!noteStopRequest(static_cast<StopRequest>(number))) return;
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);  // held back until this returns
}

}  // namespace

struct StopRequests::Handlers {
    std::array<struct sigaction, kSignals.size()> actions{};
};

StopRequests::StopRequests() : before_(std::make_unique<Handlers>()) {
    forgetStopRequests();
    struct sigaction ours {};
    ours.sa_handler = onSignal;
    ours.sa_flags = SA_RESTART;  // nobody's reading or waiting fails for it
    for (size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction& before = before_->actions[i];
        sigaction(kSignals[i], nullptr, &before);
        if (before.sa_handler != SIG_IGN) sigaction(kSignals[i], &ours, nullptr);
    }
}

StopRequests::~StopRequests() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_->actions[i], nullptr);
}

}  // namespace splat::platform
