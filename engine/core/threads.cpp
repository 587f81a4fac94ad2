#include <splatwright/core/threads.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace splat {

void parallelFor(size_t count, const std::function<void(size_t)>& body) {
    std::atomic<size_t> next = 0;
    std::exception_ptr failure;
    size_t failed = count;  // of the failure; whatever comes before it has been started
    std::mutex failureMutex;
    auto work = [&] {
        for (size_t i = next++; i < count; i = next++) {
            try {
                body(i);
            } catch (...) {
                const std::scoped_lock lock(failureMutex);
                if (i < failed) failure = std::current_exception();
                failed = std::min(failed, i);
                next = count;
            }
        }
    };
    const size_t helpers = std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), count);
    {
        std::vector<std::jthread> threads;
        for (size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace splat
