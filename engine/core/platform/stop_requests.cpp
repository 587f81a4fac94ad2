#include <splatwright/core/platform/stop_requests.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace splat::platform {

namespace {

constexpr int64_t kInsists = 1000;  // milliseconds; repeated key presses are closer together

/// The first request and the time it came, in one word, because signals may come on several threads at once: milliseconds << 8 | number.
std::atomic<int64_t> first = 0;
static_assert(std::atomic<int64_t>::is_always_lock_free, "a signal handler must not wait");

int64_t milliseconds() {
    using namespace std::chrono;
    return duration_cast<std::chrono::milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

bool noteStopRequest(StopRequest request) {
    int64_t before = 0;
    const int64_t now = milliseconds();
    if (first.compare_exchange_strong(before, now << 8 | static_cast<int>(request))) return false;
    return request == StopRequest::interrupt && now - (before >> 8) >= kInsists;
}

void forgetStopRequests() { first = 0; }

StopRequest StopRequests::first() { return static_cast<StopRequest>(platform::first & 0xff); }

}  // namespace splat::platform
