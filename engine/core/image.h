#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace splat {

/// Pixels in rows from the top, channels interleaved; T is uint8_t (0..255), uint16_t (0..65535) or float (0..1).
template <class T>
struct Image {
    int width = 0;
    int height = 0;
    int channels = 0;
    std::vector<T> pixels;

    Image() = default;
    Image(int w, int h, int c)
        : width(w), height(h), channels(c), pixels(static_cast<size_t>(w) * static_cast<size_t>(h) * static_cast<size_t>(c)) {}

    size_t index(int x, int y) const {
        return (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * static_cast<size_t>(channels);
    }
    std::span<T> at(int x, int y) { return std::span(pixels).subspan(index(x, y), static_cast<size_t>(channels)); }
    std::span<const T> at(int x, int y) const { return std::span(pixels).subspan(index(x, y), static_cast<size_t>(channels)); }
};

using Image8 = Image<uint8_t>;
using Image16 = Image<uint16_t>;
using ImageF = Image<float>;

}  // namespace splat
