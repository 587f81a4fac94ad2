#pragma once

#include <optional>

#include <splatwright/explain/pixel_look.h>

namespace splat::app {

/// A moment of the radix sort of a tile's keys. Each pass shows its counts, then moves its keys one by one; on the GPU they all move at once.
struct RadixMoment {
    struct Key {
        size_t index;    ///< before the pass
        uint32_t digit;  ///< that the pass looks at
        uint32_t place;  ///< after the pass
    };

    size_t passIndex;
    const explain::RadixPass& pass;
    const explain::SortedPairs& before;  ///< the pass
    size_t moved;                        ///< keys that are in the other buffer

    const char* from() const { return passIndex % 2 == 0 ? "ping" : "pong"; }
    const char* to() const { return passIndex % 2 == 0 ? "pong" : "ping"; }
    /// A key of the pass, by its index before it.
    Key key(size_t index) const;
    /// The key that has just moved; none while the pass shows only its counts.
    std::optional<Key> current() const;
};

/// Moments of all passes: one more than there are keys for each.
size_t radixMoments(const explain::PixelLook& look);
/// The list is not empty, and the index is less than radixMoments().
RadixMoment radixMoment(const explain::PixelLook& look, size_t index);

}  // namespace splat::app
