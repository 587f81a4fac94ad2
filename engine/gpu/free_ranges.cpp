#include <splatwright/gpu/free_ranges.h>

#include <iterator>

#include <splatwright/core/error.h>

namespace splat::gpu {

std::optional<uint64_t> FreeRanges::take(uint64_t bytes, uint64_t alignment) {
    for (auto range = free_.begin(); range != free_.end(); ++range) {
        const auto [first, size] = *range;
        const uint64_t offset = (first + alignment - 1) / alignment * alignment;
        const uint64_t end = first + size;
        if (offset + bytes > end) continue;
        if (offset > first) {
            range->second = offset - first;
        } else {
            free_.erase(range);
        }
        if (offset + bytes < end) free_[offset + bytes] = end - offset - bytes;
        return offset;
    }
    return std::nullopt;
}

void FreeRanges::giveBack(uint64_t offset, uint64_t bytes) {
    SPLAT_CHECK(bytes > 0 && offset + bytes <= bytes_, "range {}+{} of a block of {} bytes", offset, bytes, bytes_);
    auto next = free_.lower_bound(offset);
    SPLAT_CHECK(next == free_.end() || next->first >= offset + bytes, "range {}+{} is free already", offset, bytes);
    if (next != free_.end() && next->first == offset + bytes) {
        bytes += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto before = std::prev(next);
        SPLAT_CHECK(before->first + before->second <= offset, "range {}+{} is free already", offset, bytes);
        if (before->first + before->second == offset) {
            before->second += bytes;
            return;
        }
    }
    free_.emplace_hint(next, offset, bytes);
}

}  // namespace splat::gpu
