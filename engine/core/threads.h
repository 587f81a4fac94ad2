#pragma once

#include <cstddef>
#include <functional>

namespace splat {

/// Calls body(i) for i in [0, count) on all cores, in no particular order. Rethrows the first exception after all threads have stopped.
void parallelFor(size_t count, const std::function<void(size_t)>& body);

/// CPU time of the calling thread, microseconds.
double threadMicroseconds();

}  // namespace splat
