#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace splat::gpu {

/// The free bytes of one block of memory. Requests get the first range that is large enough, and neighbouring free ranges are merged.
class FreeRanges {
public:
    explicit FreeRanges(uint64_t bytes) : bytes_(bytes), free_{{0, bytes}} {}

    /// Takes bytes at a multiple of the alignment. Returns their offset, or nothing if no free range is large enough.
    std::optional<uint64_t> take(uint64_t bytes, uint64_t alignment);
    /// Frees a range exactly as take() returned it.
    void giveBack(uint64_t offset, uint64_t bytes);
    /// Whether nothing is taken.
    bool allFree() const { return free_.size() == 1 && free_.begin()->second == bytes_; }

private:
    uint64_t bytes_;
    std::map<uint64_t, uint64_t> free_;  ///< bytes by offset
};

}  // namespace splat::gpu
