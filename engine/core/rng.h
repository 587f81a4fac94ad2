#pragma once

#include <cstdint>

namespace splat {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed on every platform, unlike the standard distributions.
class Rng {
public:
    explicit Rng(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30u)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27u)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31u);
    }
    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11u) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform in [0, bound), bound > 0.
    uint64_t below(uint64_t bound) { return static_cast<uint64_t>(uniform() * static_cast<double>(bound)); }
    /// Standard normal (Box and Muller).
    double normal();

private:
    uint64_t state_;
};

}  // namespace splat
