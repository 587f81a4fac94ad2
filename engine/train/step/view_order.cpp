#include <splatwright/train/step/view_order.h>

#include <numeric>
#include <utility>

#include <splatwright/core/rng.h>

namespace splat {

size_t ViewOrder::operator[](uint32_t step) {
    const size_t epoch = step / order_.size();
    if (epoch != epoch_) {
        std::iota(order_.begin(), order_.end(), size_t{0});
        Rng rng(seed_ + 0x51ed2701u * (epoch + 1));
        for (size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[rng.below(i)]);
        epoch_ = epoch;
    }
    return order_[step % order_.size()];
}

}  // namespace splat
