#include "train/strip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "core/error.h"

namespace splat {
namespace {

constexpr int kSeparator = 4;  // pixels, before any scaling
constexpr uint8_t kGround = 32;
constexpr int kChannels = 3;

Image8 ground(int width, int height) {
    Image8 image(width, height, kChannels);
    std::fill(image.pixels.begin(), image.pixels.end(), kGround);
    return image;
}

void paste(const Image8& from, Image8& to, int left, int top) {
    for (int y = 0; y < from.height; ++y)
        for (int x = 0; x < from.width; ++x) std::copy_n(from.at(x, y).begin(), kChannels, to.at(left + x, top + y).begin());
}

/// Black, red, yellow, white: each third of the range raises one channel.
std::array<uint8_t, kChannels> heat(float value) {
    std::array<uint8_t, kChannels> colour{};
    for (size_t c = 0; c < colour.size(); ++c)
        colour[c] = static_cast<uint8_t>(std::lround(255 * std::clamp(3 * value - static_cast<float>(c), 0.0F, 1.0F)));
    return colour;
}

Image8 errorMap(const Image8& a, const Image8& b) {
    Image8 map(a.width, a.height, kChannels);
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            int sum = 0;
            for (size_t c = 0; c < kChannels; ++c) sum += std::abs(int{a.at(x, y)[c]} - int{b.at(x, y)[c]});
            const auto colour = heat(static_cast<float>(sum) / (255.0F * kChannels * kStripFullError));
            std::copy(colour.begin(), colour.end(), map.at(x, y).begin());
        }
    return map;
}

/// Means of factor x factor blocks; blocks at the right and lower edge may be smaller.
Image8 shrunk(const Image8& image, int factor) {
    Image8 out((image.width + factor - 1) / factor, (image.height + factor - 1) / factor, kChannels);
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            const int right = std::min(image.width, (x + 1) * factor), bottom = std::min(image.height, (y + 1) * factor);
            const int count = (right - x * factor) * (bottom - y * factor);
            std::array<int, kChannels> sums{};
            for (int sy = y * factor; sy < bottom; ++sy)
                for (int sx = x * factor; sx < right; ++sx)
                    for (size_t c = 0; c < sums.size(); ++c) sums[c] += image.at(sx, sy)[c];
            for (size_t c = 0; c < sums.size(); ++c) out.at(x, y)[c] = static_cast<uint8_t>((sums[c] + count / 2) / count);
        }
    return out;
}

}  // namespace

Image8 stripRow(const Image8& photograph, const Image8& render) {
    CHECK(photograph.width == render.width && photograph.height == render.height, "{}x{} against {}x{}", photograph.width,
          photograph.height, render.width, render.height);
    CHECK(photograph.channels >= kChannels && render.channels >= kChannels, "{} and {} channels", photograph.channels, render.channels);
    const int step = photograph.width + kSeparator;
    Image8 row = ground(3 * photograph.width + 2 * kSeparator, photograph.height);
    paste(photograph, row, 0, 0);
    paste(render, row, step, 0);
    paste(errorMap(photograph, render), row, 2 * step, 0);
    return row;
}

Image8 stacked(std::span<const Image8> rows, int maxWidth) {
    CHECK(!rows.empty() && maxWidth > 0, "{} rows, at most {} pixels wide", rows.size(), maxWidth);
    int width = 0, height = -kSeparator;
    for (const Image8& row : rows) {
        width = std::max(width, row.width);
        height += row.height + kSeparator;
    }
    Image8 all = ground(width, height);
    int top = 0;
    for (const Image8& row : rows) {
        paste(row, all, 0, top);
        top += row.height + kSeparator;
    }
    const int factor = (width + maxWidth - 1) / maxWidth;
    return factor > 1 ? shrunk(all, factor) : all;
}

}  // namespace splat
