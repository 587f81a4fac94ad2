#include <splatwright/view/flood_fill.h>

#include <bit>
#include <set>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>

namespace splat {
namespace {

bool has(const std::vector<uint32_t>& mask, const Image8& image, int x, int y) {
    const size_t row = (static_cast<size_t>(image.width) + 31) / 32;
    return (mask[static_cast<size_t>(y) * row + static_cast<size_t>(x) / 32] >> (static_cast<uint32_t>(x) % 32) & 1u) != 0;
}

size_t countOf(const std::vector<uint32_t>& mask) {
    size_t sum = 0;
    for (const uint32_t word : mask) sum += static_cast<size_t>(std::popcount(word));
    return sum;
}

Image8 grey(int width, int height, int value) {
    Image8 image(width, height, 3);
    std::ranges::fill(image.pixels, static_cast<uint8_t>(value));
    return image;
}

void paint(Image8& image, int x, int y, int value) { std::ranges::fill(image.at(x, y), static_cast<uint8_t>(value)); }

TEST(FloodFill, StopsAtAnOutlineAndDoesNotCrossCorners) {
    Image8 image = grey(70, 9, 100);
    for (int y = 0; y < 9; ++y) paint(image, 40, y, 200);
    EXPECT_EQ(countOf(floodFill(image, {3, 3}, 0.1)), 40u * 9);
    EXPECT_EQ(countOf(floodFill(image, {69, 8}, 0.1)), 29u * 9);
    EXPECT_EQ(countOf(floodFill(image, {40, 4}, 0.1)), 9u);
    EXPECT_EQ(countOf(floodFill(image, {3, 3}, 1)), 70u * 9);
    Image8 corners = grey(2, 2, 0);
    paint(corners, 1, 0, 255);
    paint(corners, 0, 1, 255);
    EXPECT_EQ(countOf(floodFill(corners, {0, 0}, 0.5)), 1u);
}

TEST(FloodFill, ComparesWithTheSeedAndNotWithTheNeighbour) {
    Image8 ramp = grey(64, 1, 0);
    for (int x = 0; x < 64; ++x) paint(ramp, x, 0, 4 * x);
    EXPECT_EQ(countOf(floodFill(ramp, {0, 0}, 40 / 255.0)), 11u);
    EXPECT_EQ(countOf(floodFill(ramp, {32, 0}, 40 / 255.0)), 21u);
}

/// Pixels that are similar and joined, found by spreading over the whole picture until nothing changes.
std::set<std::pair<int, int>> spread(const Image8& image, int tolerance) {
    std::set<std::pair<int, int>> found{{5, 5}};
    for (size_t before = 0; before != found.size();) {
        before = found.size();
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) {
                const bool joined =
                    found.contains({x - 1, y}) || found.contains({x + 1, y}) || found.contains({x, y - 1}) || found.contains({x, y + 1});
                if (joined && std::abs(int{image.at(x, y)[1]} - int{image.at(5, 5)[1]}) <= tolerance) found.insert({x, y});
            }
        }
    }
    return found;
}

TEST(FloodFill, FindsWhatSpreadingFinds) {
    Rng rng(3);
    for (const int width : {31, 32, 33, 64, 65}) {
        Image8 image = grey(width, 20, 0);
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < width; ++x) paint(image, x, y, static_cast<int>(rng.below(100)));
        const auto expected = spread(image, 60);
        const auto mask = floodFill(image, {5, 5}, 60 / 255.0);
        EXPECT_EQ(countOf(mask), expected.size());
        for (const auto& [x, y] : expected) EXPECT_TRUE(has(mask, image, x, y)) << x << "," << y;
    }
}

}  // namespace
}  // namespace splat
