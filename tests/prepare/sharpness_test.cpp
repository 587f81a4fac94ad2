#include <splatwright/prepare/sharpness.h>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>

namespace splat::prepare {
namespace {

Image8 noise(int width, int height, uint64_t seed) {
    Rng rng(seed);
    Image8 image(width, height, 1);
    for (uint8_t& pixel : image.pixels) pixel = static_cast<uint8_t>(rng.below(256));
    return image;
}

/// Means over boxes of 3x3 pixels; the border stays.
Image8 blurred(const Image8& image) {
    Image8 out = image;
    for (int y = 1; y + 1 < image.height; ++y) {
        for (int x = 1; x + 1 < image.width; ++x) {
            int sum = 0;
            for (int i = 0; i < 9; ++i) sum += image.at(x + i % 3 - 1, y + i / 3 - 1)[0];
            out.at(x, y)[0] = static_cast<uint8_t>(sum / 9);
        }
    }
    return out;
}

/// The variance as it is written in books, in double precision.
double laplacianVariance(const Image8& image) {
    std::vector<double> values;
    const auto level = [&](int x, int y) { return static_cast<double>(image.at(x, y)[0]); };
    for (int y = 1; y + 1 < image.height; ++y) {
        for (int x = 1; x + 1 < image.width; ++x)
            values.push_back(level(x - 1, y) + level(x + 1, y) + level(x, y - 1) + level(x, y + 1) - 4 * level(x, y));
    }
    double mean = 0, variance = 0;
    for (const double v : values) mean += v / static_cast<double>(values.size());
    for (const double v : values) variance += (v - mean) * (v - mean) / static_cast<double>(values.size());
    return variance;
}

TEST(Sharpness, IsTheVarianceOfTheLaplacian) {
    for (const auto& [w, h] : {std::pair(16, 12), {17, 13}, {64, 48}}) {
        const Image8 image = noise(w, h, static_cast<uint64_t>(w));
        EXPECT_NEAR(lookOf(image).sharpness, laplacianVariance(image), 1e-6 * laplacianVariance(image));
    }
    EXPECT_EQ(lookOf(Image8(20, 20, 1)).sharpness, 0);
}

TEST(Sharpness, EveryBlurLowersIt) {
    Image8 image = noise(80, 60, 1);
    double before = lookOf(image).sharpness;
    for (int times = 0; times < 3; ++times) {  // the border stays sharp, so it is not lowered forever
        image = blurred(image);
        const double now = lookOf(image).sharpness;
        EXPECT_LT(now, before);
        before = now;
    }
}

TEST(Sharpness, ThumbnailsAreMeansOfBoxes) {
    Image8 image(32, 24, 1);
    for (int y = 0; y < 24; ++y) {
        for (int x = 0; x < 32; ++x) image.at(x, y)[0] = static_cast<uint8_t>(8 * (x / 2) + y / 2);
    }
    const FrameLook look = lookOf(image);
    for (int y = 0; y < 12; ++y) {
        for (int x = 0; x < 16; ++x) EXPECT_EQ(look.thumbnail[static_cast<size_t>(y * 16 + x)], 8 * x + y);
    }
}

/// A frame of this sharpness, whose picture has moved by this much.
FrameLook frame(double sharpness, int moved) {
    FrameLook look{.sharpness = sharpness, .contrast = 1000};
    look.thumbnail.fill(static_cast<uint8_t>(moved));
    return look;
}

TEST(ChooseFrames, TakesTheSharpestOfEachPart) {
    std::vector<FrameLook> frames;
    for (int i = 0; i < 12; ++i) frames.push_back(frame(i % 4 == 2 ? 120 : 100, 5 * i));
    EXPECT_EQ(chooseFrames(frames, 3), (std::vector<size_t>{2, 6, 10}));
    EXPECT_EQ(chooseFrames(frames, 1).size(), 1u);
    EXPECT_EQ(chooseFrames(frames, 100).size(), 12u);
    EXPECT_TRUE(chooseFrames({}, 3).empty());
}

TEST(ChooseFrames, ABlurredFrameIsNeverChosen) {
    for (size_t wanted = 1; wanted <= 60; ++wanted) {
        std::vector<FrameLook> frames;
        for (int i = 0; i < 50; ++i) frames.push_back(frame(i % 5 == 4 ? 20 : 100 + i, 4 * i));
        for (const size_t index : chooseFrames(frames, wanted)) EXPECT_NE(index % 5, 4u) << wanted;
    }
}

/// As from a camera that is mostly turned too fast.
TEST(ChooseFrames, BlurredFramesAreKnownByTheSharperOnesAmongThem) {
    std::vector<FrameLook> frames;
    for (int i = 0; i < 60; ++i) frames.push_back(frame(i % 3 == 0 ? 100 : 20, 4 * i));
    const auto chosen = chooseFrames(frames, 60);
    EXPECT_EQ(chosen.size(), 20u);
    for (const size_t index : chosen) EXPECT_EQ(index % 3, 0u);
}

TEST(ChooseFrames, AStillCameraGivesOneFrame) {
    std::vector<FrameLook> frames(30, frame(100, 50));
    EXPECT_EQ(chooseFrames(frames, 10).size(), 1u);
    for (size_t i = 15; i < 30; ++i) frames[i] = frame(100, 90);
    EXPECT_EQ(chooseFrames(frames, 10).size(), 2u);
}

TEST(ChooseFrames, IndicesAscendAndAreAtMostAsManyAsWanted) {
    Rng rng(3);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<FrameLook> frames;
        for (uint64_t i = rng.below(90); i > 0; --i) frames.push_back(frame(rng.uniform(0, 200), static_cast<int>(rng.below(256))));
        const size_t wanted = 1 + rng.below(100);
        const auto chosen = chooseFrames(frames, wanted);
        EXPECT_LE(chosen.size(), wanted);
        for (size_t i = 0; i < chosen.size(); ++i) EXPECT_TRUE(chosen[i] < frames.size() && (i == 0 || chosen[i - 1] < chosen[i]));
    }
}

TEST(AllBlurred, OneSharpFrameIsEnough) {
    std::vector<FrameLook> frames(5, frame(1, 0));
    EXPECT_TRUE(allBlurred(frames));
    frames[3] = frame(100, 0);
    EXPECT_FALSE(allBlurred(frames));
}

}  // namespace
}  // namespace splat::prepare
