#include <splatwright/train/evaluate/strip.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <splatwright/core/bitmap_text.h>
#include <splatwright/core/error.h>

namespace splat {
namespace {

constexpr int kSeparator = 4;  // pixels, before any scaling
constexpr uint8_t kGround = 32;
constexpr int kChannels = 3;
constexpr std::array<uint8_t, 3> kText{230, 230, 230}, kName{255, 200, 90};

/// Labels above the columns: the first text that fits is drawn.
constexpr std::array<std::array<std::string_view, 2>, 3> kColumnTexts{{
    {"ground truth", "truth"},
    {"render", "render"},
    {"error map: black 0, white 25 % or more", "error map"},
}};

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
    SPLAT_CHECK(photograph.width == render.width && photograph.height == render.height, "{}x{} against {}x{}", photograph.width,
                photograph.height, render.width, render.height);
    SPLAT_CHECK(photograph.channels >= kChannels && render.channels >= kChannels, "{} and {} channels", photograph.channels,
                render.channels);
    const int step = photograph.width + kSeparator;
    Image8 row = ground(3 * photograph.width + 2 * kSeparator, photograph.height);
    paste(photograph, row, 0, 0);
    paste(render, row, step, 0);
    paste(errorMap(photograph, render), row, 2 * step, 0);
    return row;
}

std::vector<Image8> fitted(std::vector<Image8> rows, int maxWidth) {
    SPLAT_CHECK(!rows.empty() && maxWidth > 0, "{} rows, at most {} pixels wide", rows.size(), maxWidth);
    const int width = std::ranges::max_element(rows, {}, &Image8::width)->width;
    const int factor = (width + maxWidth - 1) / maxWidth;
    if (factor == 1) return rows;
    for (Image8& row : rows) row = shrunk(row, factor);
    return rows;
}

Image8 captioned(const Image8& row, std::string_view name) {
    constexpr int kMargin = 2, kLines = 2;
    constexpr int kWidthOfScale = 300;  // pixels of a column per whole step of the font's size
    const int column = row.width / static_cast<int>(kColumnTexts.size());
    const int scale = std::max(1, column / kWidthOfScale), line = scale * (kGlyphHeight + kMargin);
    Image8 all = ground(row.width, kLines * line + row.height);
    drawText(all, {.left = kMargin, .top = kMargin, .width = row.width - kMargin, .scale = scale}, name, kName);
    for (size_t i = 0; i < kColumnTexts.size(); ++i) {
        const auto& [longer, shorter] = kColumnTexts[i];
        const TextPlace place{
            .left = kMargin + static_cast<int>(i) * column, .top = kMargin + line, .width = column - kMargin, .scale = scale};
        drawText(all, place, textWidth(longer, scale) <= place.width ? longer : shorter, kText);
    }
    paste(row, all, 0, kLines * line);
    return all;
}

Image8 stacked(std::span<const Image8> rows) {
    SPLAT_CHECK(!rows.empty(), "{} rows", rows.size());
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
    return all;
}

}  // namespace splat
