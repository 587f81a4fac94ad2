#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace splat {

/// A mutex that serves waiting threads in the order of their arrival (a ticket lock). With std::mutex, a thread that locks again right after
/// unlocking, such as a render loop, can starve the others.
class FairMutex {
public:
    void lock() {
        std::unique_lock guard(mutex_);
        const uint64_t mine = next_++;
        turn_.wait(guard, [&] { return serving_ == mine; });
    }
    void unlock() {
        {
            const std::scoped_lock guard(mutex_);
            ++serving_;
        }
        turn_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable turn_;
    uint64_t next_ = 0, serving_ = 0;
};

}  // namespace splat
