#include <splatwright/core/memory.h>

#include <malloc.h>
#include <sys/mman.h>
#include <algorithm>
#include <cstdint>
#include <limits>

#include <splatwright/core/threads.h>

namespace splat {

namespace {

constexpr uintptr_t kLargePage = uintptr_t{2} << 20u;
constexpr uintptr_t kSlice = 4 * kLargePage;  // per thread and step

}  // namespace

void populate([[maybe_unused]] void* start, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    // Whole large pages inside the range; what lies beside them may belong to others.
    const auto first = (reinterpret_cast<uintptr_t>(start) + kLargePage - 1) / kLargePage * kLargePage;
    const auto end = (reinterpret_cast<uintptr_t>(start) + bytes) / kLargePage * kLargePage;
    if (first >= end) return;
    std::byte* memory = static_cast<std::byte*>(start) + (first - reinterpret_cast<uintptr_t>(start));
    madvise(memory, end - first, MADV_HUGEPAGE);
    parallelSlices(end - first, kSlice, [&](size_t from, size_t to) { madvise(memory + from, to - from, MADV_POPULATE_WRITE); });
#endif
}

void keepFreedMemory([[maybe_unused]] size_t bytes) {
#ifdef __GLIBC__
    const int limit = static_cast<int>(std::min(bytes, size_t{std::numeric_limits<int>::max()}));
    mallopt(M_MMAP_THRESHOLD, limit);
    mallopt(M_TRIM_THRESHOLD, limit);
#endif
}

}  // namespace splat
