#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace splat {

/// An amount of memory that several threads share: each takes what it is about to need and waits while the others hold too much.
class ByteBudget {
public:
    explicit ByteBudget(uint64_t bytes) : bytes_(bytes) {}

    /// Bytes taken from a budget until the end of its life.
    class Share {
    public:
        Share(ByteBudget& budget, uint64_t bytes) : budget_(budget), bytes_(bytes) {}
        ~Share();
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;

    private:
        ByteBudget& budget_;
        uint64_t bytes_;
    };

    /// Waits until so many bytes are free. More than the whole budget is had alone, once nothing else is taken. A thread that holds a share
    /// must not take another.
    [[nodiscard]] Share take(uint64_t bytes);

private:
    uint64_t bytes_, taken_ = 0;
    std::mutex mutex_;
    std::condition_variable freed_;
};

}  // namespace splat
