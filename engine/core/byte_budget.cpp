#include <splatwright/core/byte_budget.h>

#include <algorithm>

namespace splat {

ByteBudget::Share ByteBudget::take(uint64_t bytes) {
    bytes = std::min(bytes, bytes_);
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return bytes <= bytes_ - taken_; });
    taken_ += bytes;
    return {*this, bytes};
}

ByteBudget::Share::~Share() {
    {
        const std::scoped_lock lock(budget_.mutex_);
        budget_.taken_ -= bytes_;
    }
    budget_.freed_.notify_all();
}

}  // namespace splat
