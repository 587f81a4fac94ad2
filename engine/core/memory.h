#pragma once

#include <cstddef>
#include <vector>

namespace splat {

/// Asks the system for the pages behind unused memory, on all cores and in large pages where it has them. Without this, the first write to each page
/// waits for the system, which costs more than to fill the memory. A hint: nothing happens where the system does not know it, or for small ranges.
void populate(void* start, size_t bytes);

/// resize() of a vector, faster for large ones that have been empty.
template <class T>
void resizeFast(std::vector<T>& values, size_t count) {
    if (values.empty() && values.capacity() < count) {
        values.reserve(count);
        populate(values.data(), count * sizeof(T));
    }
    values.resize(count);
}

}  // namespace splat
