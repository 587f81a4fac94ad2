#include <splatwright/gpu/screen.h>

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "support/test_device.h"

namespace splat::gpu {
namespace {

constexpr uint32_t kWhite = 0xffffffff;

/// Adds a rectangle that shows the whole texture.
void addRectangle(Painting& p, glm::vec2 low, glm::vec2 high, uint32_t colour, const Texture& texture) {
    const auto first = static_cast<uint32_t>(p.vertices.size());
    p.vertices.insert(
        p.vertices.end(),
        {{low, {0, 0}, colour}, {{high.x, low.y}, {1, 0}, colour}, {high, {1, 1}, colour}, {{low.x, high.y}, {0, 1}, colour}});
    p.ranges.push_back({.firstIndex = static_cast<uint32_t>(p.indices.size()),
                        .indices = 6,
                        .firstVertex = first,
                        .clipLow = {0, 0},
                        .clipHigh = {10'000, 10'000},
                        .texture = texture});
    p.indices.insert(p.indices.end(), {0, 1, 2, 0, 2, 3});
}

std::vector<uint32_t> noise(glm::uvec2 size) {
    std::mt19937 random(1);
    std::vector<uint32_t> words(size_t{size.x} * size.y);
    std::ranges::generate(words, [&] { return random() | 0xff000000u; });
    return words;
}

uint32_t pixel(const Image8& image, int x, int y) {
    const auto p = image.at(x, y);
    return p[0] | static_cast<uint32_t>(p[1]) << 8 | static_cast<uint32_t>(p[2]) << 16 | 0xff000000u;
}

/// A texture that holds its buffer.
struct HeldTexture {
    HeldTexture(glm::uvec2 size, const std::vector<uint32_t>& words)
        : buffer(testDevice().buffer<uint32_t>("texture", words.size())), texture{buffer, size} {
        testDevice().upload(buffer, words);
    }
    Buffer buffer;
    Texture texture;
};

struct ScreenTest : testing::Test {
    void SetUp() override {
        if (!testDevice().has(Feature::graphics)) GTEST_SKIP() << "screens need graphics on the compute queue";
    }
};

TEST_F(ScreenTest, ShowsAPictureAtItsOwnSizeExactly) {
    for (const glm::uvec2 size : {glm::uvec2(1, 1), glm::uvec2(37, 19), glm::uvec2(640, 361), glm::uvec2(1921, 3)}) {
        const auto words = noise(size);
        const HeldTexture texture(size, words);
        Screen screen(testDevice(), size + 9u);
        Painting painting;
        addRectangle(painting, {4, 5}, glm::vec2(size) + glm::vec2(4, 5), kWhite, texture.texture);
        screen.show(painting);
        const Image8 shown = screen.screenshot();
        for (uint32_t y = 0; y < size.y; ++y)
            for (uint32_t x = 0; x < size.x; ++x)
                ASSERT_EQ(pixel(shown, static_cast<int>(x) + 4, static_cast<int>(y) + 5), words[y * size.x + x]) << x << ' ' << y;
        EXPECT_EQ(pixel(shown, 3, 5), 0xff000000u);
    }
}

TEST_F(ScreenTest, APictureAtTwiceItsSizeRunsSmoothlyBetweenItsPixels) {
    const HeldTexture texture({2, 1}, {0xff000000u, kWhite});
    Screen screen(testDevice(), {40, 4});
    Painting painting;
    addRectangle(painting, {0, 0}, {40, 4}, kWhite, texture.texture);
    screen.show(painting);
    const Image8 shown = screen.screenshot();
    for (int x = 1; x < 40; ++x) EXPECT_GE(shown.at(x, 2)[0], shown.at(x - 1, 2)[0]);
    EXPECT_EQ(shown.at(0, 2)[0], 0);
    EXPECT_EQ(shown.at(39, 2)[0], 255);
    EXPECT_NEAR(shown.at(20, 2)[0], 134, 2);  // (20.5 / 20 - 0.5) of the way
}

TEST_F(ScreenTest, WhatComesLaterLiesOverWhatCameBeforeByItsAlpha) {
    const HeldTexture white({1, 1}, {kWhite});
    Screen screen(testDevice(), {8, 8});
    Painting painting;
    addRectangle(painting, {0, 0}, {8, 8}, 0xff0000ffu, white.texture);  // red
    addRectangle(painting, {2, 2}, {6, 6}, 0x80ff0000u, white.texture);  // half of blue
    screen.show(painting);
    const Image8 shown = screen.screenshot();
    EXPECT_EQ(pixel(shown, 0, 0), 0xff0000ffu);
    EXPECT_NEAR(shown.at(4, 4)[0], 127, 1);
    EXPECT_NEAR(shown.at(4, 4)[2], 128, 1);
}

TEST_F(ScreenTest, NothingIsPaintedOutsideOfAClip) {
    const HeldTexture white({1, 1}, {kWhite});
    Screen screen(testDevice(), {16, 16});
    Painting painting;
    addRectangle(painting, {0, 0}, {16, 16}, kWhite, white.texture);
    painting.ranges[0].clipLow = {3, -5};
    painting.ranges[0].clipHigh = {7, 9};
    screen.show(painting);
    const Image8 shown = screen.screenshot();
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) EXPECT_EQ(shown.at(x, y)[0], x >= 3 && x < 7 && y < 9 ? 255 : 0) << x << ' ' << y;
}

TEST_F(ScreenTest, PaintingsOfAnySizeFollowOneAnother) {
    const HeldTexture white({1, 1}, {kWhite});
    Screen screen(testDevice(), {64, 64});
    for (const size_t rectangles : {0u, 1u, 700u, 3u, 5000u, 0u, 17u}) {
        Painting painting;
        for (size_t i = 0; i < rectangles; ++i) addRectangle(painting, {0, 0}, {1, 1}, kWhite, white.texture);
        screen.show(painting);
        EXPECT_EQ(screen.screenshot().at(0, 0)[0], rectangles > 0 ? 255 : 0);
    }
}

TEST_F(ScreenTest, TakesANewSizeBetweenPaintings) {
    const HeldTexture white({1, 1}, {kWhite});
    Screen screen(testDevice(), {30, 20});
    for (const glm::uvec2 size : {glm::uvec2(100, 7), glm::uvec2(1, 1), glm::uvec2(333, 222)}) {
        screen.resize(size);
        Painting painting;
        addRectangle(painting, {0, 0}, size, kWhite, white.texture);
        screen.show(painting);
        screen.show(painting);
        const Image8 shown = screen.screenshot();
        ASSERT_EQ(glm::uvec2(shown.width, shown.height), size);
        EXPECT_TRUE(std::ranges::all_of(shown.pixels, [](uint8_t v) { return v == 255; }));
    }
}

/// Fills the screen with a colour.
struct Filled : ScreenTest {
    void show(Screen& screen, uint32_t colour) {
        Painting painting;
        addRectangle(painting, {0, 0}, screen.size(), colour, white.texture);
        last = screen.show(painting);
    }
    const HeldTexture white{{1, 1}, {kWhite}};
    Ticket last = 0;
};

TEST_F(Filled, FramesAreReadBackAsShownWithoutAWait) {
    for (const glm::uvec2 size : {glm::uvec2(1, 1), glm::uvec2(63, 5), glm::uvec2(64, 64), glm::uvec2(257, 100)}) {
        Screen screen(testDevice(), size);
        show(screen, 0xff0000ffu);
        testDevice().wait(last);
        EXPECT_FALSE(screen.takeFrame() || screen.hasFrameInFlight()) << "nobody asked for it";
        screen.readFrames(true);
        show(screen, 0xff204060u);
        EXPECT_TRUE(screen.hasFrameInFlight());
        testDevice().wait(last);
        const uint64_t waits = testDevice().waits();
        const auto frame = screen.takeFrame();
        EXPECT_EQ(testDevice().waits(), waits);
        ASSERT_TRUE(frame);
        ASSERT_EQ(glm::uvec2(frame->width, frame->height), size);
        EXPECT_EQ(frame->channels, 4);
        for (int y = 0; y < frame->height; ++y)
            for (int x = 0; x < frame->width; ++x) ASSERT_EQ(pixel(*frame, x, y), 0xff204060u) << x << ' ' << y;
        EXPECT_FALSE(screen.takeFrame() || screen.hasFrameInFlight());
    }
}

TEST_F(Filled, TheNewestFrameIsTakenAndOlderOnesAreDropped) {
    Screen screen(testDevice(), {20, 10});
    screen.readFrames(true);
    for (uint32_t shown = 1; shown <= 12; ++shown) {  // more than are in flight
        show(screen, 0xff000000u | shown);
        if (shown % 4 != 0) continue;
        testDevice().wait(last);
        const auto frame = screen.takeFrame();
        ASSERT_TRUE(frame);
        EXPECT_EQ(pixel(*frame, 19, 9), 0xff000000u | shown);
        EXPECT_FALSE(screen.takeFrame());
    }
}

TEST_F(Filled, AFrameBeforeANewSizeKeepsItsOwn) {
    Screen screen(testDevice(), {20, 10});
    screen.readFrames(true);
    show(screen, 0xff112233u);
    screen.resize({40, 30});
    const auto before = screen.takeFrame();
    ASSERT_TRUE(before);
    EXPECT_EQ(glm::uvec2(before->width, before->height), glm::uvec2(20, 10));
    show(screen, 0xff445566u);
    testDevice().wait(last);
    const auto after = screen.takeFrame();
    ASSERT_TRUE(after);
    EXPECT_EQ(glm::uvec2(after->width, after->height), glm::uvec2(40, 30));
    EXPECT_EQ(pixel(*after, 39, 29), 0xff445566u);
}

TEST(Screen, ADeviceWithoutGraphicsIsRefusedByName) {
    Device device(testDeviceOptions({"graphics"}));
    try {
        const Screen screen(device, {8, 8});
        FAIL();
    } catch (const Error& problem) {
        EXPECT_NE(std::string(problem.what()).find(device.name()), std::string::npos) << problem.what();
    }
}

TEST_F(ScreenTest, StaysSilentUnderValidation) { EXPECT_EQ(testDevice().validationMessages(), 0u); }

}  // namespace
}  // namespace splat::gpu
