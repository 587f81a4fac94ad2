#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace splat {

/// Asks the system for the pages behind unused memory, on all cores and in large pages where it has them. Without this, the first write to each page
/// waits for the system, which costs more than to fill the memory. A hint: nothing happens where the system does not know it, or for small ranges.
void populate(void* start, size_t bytes);

/// Lets the allocator keep memory of up to so many bytes that is freed, for a process that takes and frees it again and again: to get pages anew costs
/// as much as to fill them twice. A hint like populate().
void keepFreedMemory(size_t bytes);

/// Bytes that nothing fills: those that are never written take no memory.
class UnfilledBytes {
public:
    explicit UnfilledBytes(size_t count) : start_(std::make_unique_for_overwrite<std::byte[]>(count)), count_(count) {}

    std::span<std::byte> span() { return {start_.get(), count_}; }
    std::span<const std::byte> span() const { return {start_.get(), count_}; }

private:
    std::unique_ptr<std::byte[]> start_;
    size_t count_;
};

/// resize() of a vector or string, faster for large ones that have been empty.
template <class Values>
void resizeFast(Values& values, size_t count) {
    if (values.empty() && values.capacity() < count) {
        values.reserve(count);
        populate(values.data(), count * sizeof(typename Values::value_type));
    }
    values.resize(count);
}

}  // namespace splat
