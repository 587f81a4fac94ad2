#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace splat {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"): four words from a counter and a key.
constexpr std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
    auto& c = counter;
    for (int round = 0; round < 10; ++round) {
        const uint64_t first = uint64_t{0xD2511F53} * c[0], second = uint64_t{0xCD9E8D57} * c[2];
        c = {static_cast<uint32_t>(second >> 32u) ^ c[1] ^ key[0], static_cast<uint32_t>(second),
             static_cast<uint32_t>(first >> 32u) ^ c[3] ^ key[1], static_cast<uint32_t>(first)};
        key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
    }
    return counter;
}

/// The same random words, to the bit, as shaders/lib/core/random.slang for a seed, an index and a stream.
constexpr std::array<uint32_t, 4> random128(uint32_t seed, uint32_t index, uint32_t stream) {
    return philox({index, stream, 0, 0}, {seed, 0});
}
constexpr uint32_t random32(uint32_t seed, uint32_t index, uint32_t stream) { return random128(seed, index, stream)[0]; }
constexpr uint64_t random64(uint32_t seed, uint32_t index, uint32_t stream) {
    const auto words = random128(seed, index, stream);
    return uint64_t{words[1]} << 32u | words[0];
}

/// exponentialFrom() of shaders/lib/core/random.slang in double precision.
inline double exponentialFrom(uint64_t word) {
    const uint64_t odd = word | 1u;
    return odd >> 63u != 0 ? -std::log1p(-0x1p-64 * static_cast<double>(~odd + 1)) : -std::log(0x1p-64 * static_cast<double>(odd));
}

/// The time at which an item of weight 1 ends its race (shaders/lib/scan/race.slang).
inline double raceTime(uint32_t seed, uint32_t index, uint32_t stream) {
    const auto words = random128(seed, index, stream);
    return exponentialFrom(uint64_t{words[0]} << 32u | words[1]);
}

}  // namespace splat
