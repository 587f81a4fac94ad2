#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace splat {

static_assert(std::endian::native == std::endian::little);

// std::byteswap of C++23 under each compiler's own name.
#ifdef _MSC_VER
inline uint16_t reversedBytes(uint16_t number) { return _byteswap_ushort(number); }
inline uint32_t reversedBytes(uint32_t number) { return _byteswap_ulong(number); }
inline uint64_t reversedBytes(uint64_t number) { return _byteswap_uint64(number); }
#else
inline uint16_t reversedBytes(uint16_t number) { return __builtin_bswap16(number); }
inline uint32_t reversedBytes(uint32_t number) { return __builtin_bswap32(number); }
inline uint64_t reversedBytes(uint64_t number) { return __builtin_bswap64(number); }
#endif

/// The number with its bytes in reverse order.
template <class T>
T byteSwapped(T number) {
    static_assert(std::is_arithmetic_v<T>);
    if constexpr (sizeof(T) == 1) return number;
    if constexpr (sizeof(T) == 2) return std::bit_cast<T>(reversedBytes(std::bit_cast<uint16_t>(number)));
    if constexpr (sizeof(T) == 4) return std::bit_cast<T>(reversedBytes(std::bit_cast<uint32_t>(number)));
    if constexpr (sizeof(T) == 8) return std::bit_cast<T>(reversedBytes(std::bit_cast<uint64_t>(number)));
}

}  // namespace splat
