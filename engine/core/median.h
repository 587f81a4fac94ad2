#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace splat {

/// The middle value, or the upper one of two. Needs at least one.
template <class T>
T medianOf(std::vector<T> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

}  // namespace splat
