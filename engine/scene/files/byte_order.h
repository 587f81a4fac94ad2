#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace splat {

static_assert(std::endian::native == std::endian::little);

/// The number with its bytes in reverse order.
template <class T>
T byteSwapped(T number) {
    static_assert(std::is_arithmetic_v<T>);
    if constexpr (sizeof(T) == 1) return number;
    if constexpr (sizeof(T) == 2) return std::bit_cast<T>(__builtin_bswap16(std::bit_cast<uint16_t>(number)));
    if constexpr (sizeof(T) == 4) return std::bit_cast<T>(__builtin_bswap32(std::bit_cast<uint32_t>(number)));
    if constexpr (sizeof(T) == 8) return std::bit_cast<T>(__builtin_bswap64(std::bit_cast<uint64_t>(number)));
}

}  // namespace splat
