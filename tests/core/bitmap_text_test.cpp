#include <splatwright/core/bitmap_text.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace splat {
namespace {

constexpr std::array<uint8_t, 3> kWhite{255, 255, 255};

Image8 drawn(std::string_view text, int width, int height, TextPlace place) {
    Image8 image(width, height, 3);
    drawText(image, place, text, kWhite);
    return image;
}

Image8 glyph(char c) { return drawn({&c, 1}, kGlyphWidth, kGlyphHeight, {.width = kGlyphWidth}); }

/// Rows of '#' and '.'.
std::string art(const Image8& image) {
    std::string text;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) text += image.at(x, y)[0] > 0 ? '#' : '.';
        text += '\n';
    }
    return text;
}

TEST(BitmapText, LettersLookLikeLetters) {
    EXPECT_EQ(art(glyph('F')), "#####.\n#.....\n#.....\n####..\n#.....\n#.....\n#.....\n......\n");
    EXPECT_EQ(art(glyph('g')), "......\n.####.\n#...#.\n#...#.\n.####.\n....#.\n.###..\n......\n");
    EXPECT_EQ(art(glyph(' ')), art(Image8(kGlyphWidth, kGlyphHeight, 3)));
}

TEST(BitmapText, AllGlyphsDifferAndOthersAreQuestionMarks) {
    std::set<std::string> seen;
    for (int c = ' '; c <= '~'; ++c) EXPECT_TRUE(seen.insert(art(glyph(static_cast<char>(c)))).second) << static_cast<char>(c);
    for (const char c : {'\0', '\n', '\x1b', '\x7f', '\xc3', '\xff'}) EXPECT_EQ(art(glyph(c)), art(glyph('?'))) << int{c};
}

TEST(BitmapText, ScaleRepeatsPixels) {
    const Image8 small = drawn("Ab", 12, 8, {.width = 12}), large = drawn("Ab", 36, 24, {.width = 36, .scale = 3});
    for (int y = 0; y < large.height; ++y)
        for (int x = 0; x < large.width; ++x) EXPECT_EQ(large.at(x, y)[0], small.at(x / 3, y / 3)[0]) << x << ' ' << y;
    EXPECT_EQ(textWidth("Ab", 3), 36);
}

TEST(BitmapText, WhatDoesNotFitIsLeftOut) {
    EXPECT_EQ(art(drawn("WWW", 30, 8, {.width = 17})), art(drawn("WW", 30, 8, {.width = 30})));
    EXPECT_EQ(art(drawn("W", 30, 8, {.width = 5})), art(Image8(30, 8, 3)));
    for (const int at : {-9, -3, 3, 40})
        drawn("WWW", 4, 4, {.left = at, .top = at, .width = 100, .scale = 2});  // inside or not: no other pixel
}

}  // namespace
}  // namespace splat
