#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace splat {

/// Views in epochs of which every one is a shuffle of its own.
class ShuffledViews {
public:
    ShuffledViews(std::vector<size_t> views, uint64_t seed) : views_(std::move(views)), seed_(seed) {}

    size_t operator[](uint32_t index);

private:
    std::vector<size_t> views_;
    uint64_t seed_;
    size_t epoch_ = SIZE_MAX;  ///< of shuffled_
    std::vector<size_t> shuffled_;
};

/// The order in which views are trained on. A step means the same view however often, and from wherever, it is asked for.
class ViewOrder {
public:
    /// withheld: views that are left out of the steps before `until`, ascending.
    ViewOrder(size_t views, uint64_t seed, const std::vector<size_t>& withheld = {}, uint32_t until = 0);

    /// The view of a step counted from 0.
    size_t operator[](uint32_t step) { return step < until_ ? early_[step] : all_[step - until_]; }

private:
    ShuffledViews early_, all_;
    uint32_t until_;
};

}  // namespace splat
