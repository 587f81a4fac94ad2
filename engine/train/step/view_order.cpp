#include <splatwright/train/step/view_order.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <splatwright/core/rng.h>

namespace splat {

namespace {

std::vector<size_t> viewsWithout(const std::vector<size_t>& withheld, size_t views) {
    std::vector<size_t> all(views), rest;
    std::iota(all.begin(), all.end(), size_t{0});
    std::ranges::set_difference(all, withheld, std::back_inserter(rest));
    return rest;
}

}  // namespace

size_t ShuffledViews::operator[](uint32_t index) {
    const size_t epoch = index / views_.size();
    if (epoch != epoch_) {
        shuffled_ = views_;
        Rng rng(seed_ + 0x51ed2701u * (epoch + 1));
        for (size_t i = shuffled_.size(); i > 1; --i) std::swap(shuffled_[i - 1], shuffled_[rng.below(i)]);
        epoch_ = epoch;
    }
    return shuffled_[index % shuffled_.size()];
}

ViewOrder::ViewOrder(size_t views, uint64_t seed, const std::vector<size_t>& withheld, uint32_t until)
    : early_(viewsWithout(withheld, views), seed), all_(viewsWithout({}, views), seed), until_(withheld.empty() ? 0 : until) {}

}  // namespace splat
