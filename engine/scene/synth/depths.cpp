#include <splatwright/scene/synth/depths.h>

#include <algorithm>
#include <cmath>

namespace splat::synth {

Image16 asEstimated(const ImageF& inverseDepths, Rng& rng) {
    constexpr double kHighest = 65535, kMargin = 0.25;
    const auto [least, most] = std::ranges::minmax(inverseDepths.pixels);
    const double low = rng.uniform(0, kMargin) * kHighest, high = rng.uniform(1 - kMargin, 1) * kHighest;
    const double range = std::max(1e-9, static_cast<double>(most - least));
    Image16 map(inverseDepths.width, inverseDepths.height, 1);
    for (size_t i = 0; i < map.pixels.size(); ++i) {
        const double part = static_cast<double>(inverseDepths.pixels[i] - least) / range;
        map.pixels[i] = static_cast<uint16_t>(std::lround(low + (high - low) * part));
    }
    return map;
}

}  // namespace splat::synth
