#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace splat {

/// The order in which views are trained on: every epoch is a shuffle of its own, so that a step means the same view however often, and from
/// wherever, it is asked for.
class ViewOrder {
public:
    ViewOrder(size_t views, uint64_t seed) : order_(views), seed_(seed) {}

    /// The view of a step counted from 0.
    size_t operator[](uint32_t step);

private:
    std::vector<size_t> order_;
    uint64_t seed_;
    size_t epoch_ = SIZE_MAX;
};

}  // namespace splat
