#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace splat {

/// Calls body(i) for i in [0, count) on all cores, in no particular order. When all threads have stopped, rethrows the exception of the lowest i.
void parallelFor(size_t count, const std::function<void(size_t)>& body);

/// Calls body(begin, end) for [0, count) in slices of `size`, the last of which may be shorter; otherwise like parallelFor().
template <class Body>
void parallelSlices(size_t count, size_t size, const Body& body) {
    parallelFor((count + size - 1) / size, [&](size_t slice) { body(slice * size, std::min(count, (slice + 1) * size)); });
}

/// Calls body(i) for i in [0, count), `size` of them per thread and step: for work that is too short for parallelFor().
template <class Body>
void parallelEach(size_t count, size_t size, const Body& body) {
    parallelSlices(count, size, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) body(i);
    });
}

/// CPU time of the calling thread, microseconds.
double threadMicroseconds();

}  // namespace splat
