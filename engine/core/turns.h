#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace splat {

/// A mutex that goes to those who wait in the order in which they came. A thread that locks again as soon as it has unlocked, as a loop that
/// draws does, takes an std::mutex almost always, and another waits for ever.
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
