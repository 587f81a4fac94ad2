#include <splatwright/train/evaluate/matched_colours.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace splat {

namespace {

struct Line {
    double gain = 1, offset = 0;
};

/// Least squares of one channel. A channel of one value only gets an offset.
Line fittedLine(const Image8& from, const Image8& to, size_t channel) {
    const auto channels = static_cast<size_t>(from.channels);
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = channel; i < from.pixels.size(); i += channels) {
        const double a = from.pixels[i], b = to.pixels[i];
        n += 1;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    const double spread = n * xx - x * x;
    const double gain = spread > 0 ? (n * xy - x * y) / spread : 1;
    return {gain, (y - gain * x) / n};
}

}  // namespace

Image8 matchedColours(const Image8& render, const Image8& photograph) {
    Image8 matched = render;
    const auto channels = static_cast<size_t>(render.channels);
    for (size_t c = 0; c < channels; ++c) {
        const Line line = fittedLine(render, photograph, c);
        std::array<uint8_t, 256> table{};
        for (size_t v = 0; v < table.size(); ++v)
            table[v] = static_cast<uint8_t>(std::lround(std::clamp(line.gain * static_cast<double>(v) + line.offset, 0.0, 255.0)));
        for (size_t i = c; i < matched.pixels.size(); i += channels) matched.pixels[i] = table[matched.pixels[i]];
    }
    return matched;
}

}  // namespace splat
