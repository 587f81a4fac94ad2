// Comparing two pictures: what blinks when, and scores on another thread.
#include "viewer/scene/comparing.h"

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/rng.h>
#include <splatwright/train/evaluate/flip.h>
#include <splatwright/train/evaluate/metrics.h>
#include "viewer/scene/picture_scores.h"
#include "viewer/widgets/legend.h"

namespace splat::app {
namespace {

Comparing blinking(double period) {
    Comparing comparing;
    comparing.second.with = CompareWith::renderMode;
    comparing.layout = CompareLayout::blink;
    comparing.blinkSeconds = period;
    return comparing;
}

TEST(Comparing, BlinksWithItsPeriod) {
    Comparing c = blinking(0.5);
    std::vector<double> changes;
    for (int i = 0; i <= 400; ++i)
        if (c.tick(10 + i / 100.0)) changes.push_back(i / 100.0);
    ASSERT_EQ(changes.size(), 8u);
    for (size_t i = 0; i < changes.size(); ++i) EXPECT_NEAR(changes[i], 0.5 * (static_cast<double>(i) + 1), 0.0101);
}

/// A viewer that slept long catches up by one change, not by all that it missed.
TEST(Comparing, BlinksOnceAfterAPause) {
    Comparing c = blinking(0.5);
    EXPECT_FALSE(c.tick(10));
    EXPECT_TRUE(c.tick(100));
    EXPECT_TRUE(c.exchanged);
    EXPECT_FALSE(c.tick(100.4));
    EXPECT_TRUE(c.tick(100.51));
    EXPECT_FALSE(c.exchanged);
}

TEST(Comparing, OnlyTheLayoutBlinkBlinks) {
    Comparing off = blinking(0.5), still = blinking(0), divided = blinking(0.5);
    off.second.with = CompareWith::nothing;
    divided.layout = CompareLayout::divider;
    for (Comparing* c : {&off, &still, &divided})
        for (const double time : {1.0, 2.0, 3.0}) EXPECT_FALSE(c->tick(time));
}

TEST(Comparing, LayoutsAreFoundByTheirNames) {
    for (int i = 0; i < kCompareLayouts; ++i) {
        const auto layout = static_cast<CompareLayout>(i);
        EXPECT_EQ(compareLayoutByName(nameOf(layout)), layout);
        EXPECT_FALSE(labelOf(layout).empty());
    }
    EXPECT_THROW(compareLayoutByName("upside_down"), InputError);
}

TEST(PictureCells, AreAsLargeAsTheirPicturesShapeAllows) {
    struct Case {
        glm::ivec2 region, picture, size, third;
    };
    for (const Case& c : {Case{{900, 300}, {1, 1}, {300, 300}, {600, 0}}, Case{{300, 900}, {1, 1}, {300, 300}, {0, 600}},
                          Case{{600, 400}, {3, 2}, {300, 200}, {0, 200}}, Case{{901, 301}, {3, 2}, {300, 301}, {600, 0}}}) {
        const PictureCells cells = cellsOf(c.region, 3, c.picture);
        EXPECT_EQ(cells.size, c.size);
        EXPECT_EQ(cells.lows[2], c.third);
    }
    EXPECT_EQ(cellsOf({601, 400}, 2, std::nullopt).size, glm::ivec2(300, 400));
    EXPECT_EQ(cellsOf({601, 400}, 2, std::nullopt).lows[1], glm::ivec2(300, 0));
    EXPECT_EQ(cellsOf({601, 400}, 1, std::nullopt).size, glm::ivec2(601, 400));
    EXPECT_EQ(cellsOf({1, 1}, 3, std::nullopt).size, glm::ivec2(1));
}

Image8 noise(int width, int height, uint64_t seed) {
    Rng rng(seed);
    Image8 image(width, height, 3);
    for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.below(256));
    return image;
}

std::vector<uint32_t> wordsOf(const Image8& image) {
    std::vector<uint32_t> words;
    for (size_t i = 0; i < image.pixels.size(); i += 3)
        words.push_back(image.pixels[i] | uint32_t{image.pixels[i + 1]} << 8u | uint32_t{image.pixels[i + 2]} << 16u | 255u << 24u);
    return words;
}

TEST(PictureScores, AreThoseOfTheMetrics) {
    const Image8 a = noise(40, 30, 1), b = noise(40, 30, 2);
    const auto first = wordsOf(a), second = wordsOf(b);
    PictureScorer scorer;
    EXPECT_FALSE(scorer.poll());
    scorer.start(first, second, {40, 30});
    EXPECT_TRUE(scorer.busy());
    scorer.finish();
    const auto scores = scorer.poll();
    ASSERT_TRUE(scores);
    EXPECT_FALSE(scorer.busy());
    EXPECT_EQ(scores->psnr, psnr(a, b));
    EXPECT_EQ(scores->ssim, ssim(a, b));
    EXPECT_EQ(scores->flip, flip(FlipImage(a), FlipImage(b)));
    const ImageF map = flipMap(FlipImage(a), FlipImage(b));
    ASSERT_EQ(scores->flipMap.size(), map.pixels.size());
    for (size_t i = 0; i < map.pixels.size(); ++i)
        ASSERT_EQ(scores->flipMap[i], colourAt(static_cast<double>(std::lround(map.pixels[i] * 255)) / 255, "inferno")) << i;
}

}  // namespace
}  // namespace splat::app
