// Sums and targets of draws on the host: plain 64-bit sums, 128-bit products.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <splatwright/core/random.h>

namespace splat::primitives {

__extension__ typedef unsigned __int128 U128;  // NOLINT(modernize-use-using): GCC takes __extension__ before no alias

using Words = std::vector<uint32_t>;
using Sums = std::vector<uint64_t>;

enum class Method { systematic, independent };

inline Sums sumOnHost(const Words& weights) {
    Sums sums(weights.size());
    std::inclusive_scan(weights.begin(), weights.end(), sums.begin(), std::plus<>(), uint64_t{0});
    return sums;
}

inline uint64_t total(const Sums& sums) { return sums.empty() ? 0 : sums.back(); }

/// floor(random / 2^64 * bound).
inline uint64_t scaled(uint64_t random, uint64_t bound) { return static_cast<uint64_t>(U128{random} * bound >> 64u); }

struct Seed {
    uint32_t seed = 17, stream = 4;
};

inline uint64_t targetOnHost(Method method, Seed seed, uint32_t draw, uint32_t draws, uint64_t sum) {
    if (method == Method::independent) return scaled(random64(seed.seed, draw, seed.stream), sum);
    return static_cast<uint64_t>((scaled(random64(seed.seed, 0, seed.stream), sum) + U128{draw} * sum) / draws);
}

}  // namespace splat::primitives
