#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace splat {

/// A memory budget that threads share: each takes a share before it allocates, and waits while the others hold too much.
class ByteBudget {
public:
    explicit ByteBudget(uint64_t bytes) : bytes_(bytes) {}

    /// Bytes taken from a budget, returned in the destructor.
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

    /// Waits until `bytes` are free. A share larger than the budget is granted once no other is held. A thread that holds a share must not take
    /// another.
    [[nodiscard]] Share take(uint64_t bytes);

private:
    uint64_t bytes_, taken_ = 0;
    std::mutex mutex_;
    std::condition_variable freed_;
};

}  // namespace splat
