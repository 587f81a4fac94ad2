#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include <splatwright/core/fair_mutex.h>
#include <splatwright/gpu/device.h>

namespace splat {

/// Lets another thread draw the model while it trains: buffers are only replaced under a lock and after all submissions.
class ModelGuard {
public:
    explicit ModelGuard(gpu::Device& device) : device_(device), generation_(newGeneration()) {}

    FairMutex& mutex() { return mutex_; }
    /// Changes with every replacement, and differs between any two guards. Read it under the lock.
    uint64_t generation() const { return generation_; }

    /// Runs `work`, which frees buffers of the model or changes their meaning, while no other thread records and the GPU is idle.
    void replace(const std::function<void()>& work) {
        const std::scoped_lock lock(mutex_);
        device_.waitForAll();
        generation_ = newGeneration();
        work();
    }

private:
    static uint64_t newGeneration() {
        static std::atomic<uint64_t> last = 0;
        return ++last;
    }

    gpu::Device& device_;
    FairMutex mutex_;
    uint64_t generation_;
};

}  // namespace splat
