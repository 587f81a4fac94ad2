#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace splat {

/// Bits in the order of the values.
inline uint32_t orderedBits(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    return bits >> 31U ? ~bits : bits | 1U << 31U;
}

/// Sorts items by the float that `key` returns of one, ascending and stable, in passes of a radix sort: std::sort() takes ten times as long for
/// millions.
template <class Item, class Key>
void sortByFloat(std::vector<Item>& items, const Key& key) {
    constexpr uint32_t kDigitBits = 11;  // three passes
    constexpr size_t kDigits = size_t{1} << kDigitBits;
    std::vector<Item> sorted(items.size());
    for (uint32_t shift = 0; shift < 32; shift += kDigitBits) {
        const auto digit = [&](const Item& item) { return (orderedBits(key(item)) >> shift) & (kDigits - 1); };
        std::array<size_t, kDigits> offsets{};
        for (const Item& item : items) ++offsets[digit(item)];
        std::exclusive_scan(offsets.begin(), offsets.end(), offsets.begin(), size_t{0});
        for (const Item& item : items) sorted[offsets[digit(item)]++] = item;
        items.swap(sorted);
    }
}

}  // namespace splat
