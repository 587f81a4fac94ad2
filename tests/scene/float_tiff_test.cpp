// TIFF of floating point, linear or with a profile, and kinds of samples that are refused.
#include <bit>
#include <limits>

#include <glm/gtc/packing.hpp>

#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/images/to_srgb.h>

#include "photograph_encoders.h"

namespace splat {
namespace {

using namespace test;

struct FloatTiff : testing::Test {
    Image8 read(const std::string& content) const { return readImage(scratch.write("picture", content)); }

    Scratch scratch;
};

/// Floats of 32 bits, or 16.
RawTiff floatTiff(const std::vector<float>& values, int channels, int bits = 32) {
    RawTiff raw{.width = static_cast<int>(values.size()) / channels, .height = 1, .channels = channels, .bits = bits};
    raw.photometric = channels < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
    raw.format = SAMPLEFORMAT_IEEEFP;
    for (const float value : values) {
        const std::string bytes = bits == 32 ? bytesOf(std::bit_cast<uint32_t>(value), 4, std::endian::little)
                                             : bytesOf(glm::packHalf1x16(value), 2, std::endian::little);
        raw.samples.insert(raw.samples.end(), bytes.begin(), bytes.end());
    }
    return raw;
}

TEST_F(FloatTiff, IsLinearLight) {
    const std::vector<float> values{0, 0.18F, 1, 7.5F, -1, std::numeric_limits<float>::quiet_NaN(), 0.002F, 0.5F, 0.9F};
    const std::vector<double> light{0, 0.18, 1, 1, 0, 0, 0.002, 0.5, 0.9};
    for (const int bits : {16, 32}) {
        const Image8 found = read(encodeTiff(floatTiff(values, 3, bits)));
        ASSERT_EQ(found.pixels.size(), light.size());
        for (size_t i = 0; i < light.size(); ++i) EXPECT_NEAR(found.pixels[i], srgbValue(light[i]), 0.6) << bits << ", " << i;
    }
    const Image8 grey = read(encodeTiff(floatTiff({0.18F, 0.5F}, 1)));
    ASSERT_EQ(grey.pixels.size(), 6u);
    for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(grey.pixels[i], srgbValue(i < 3 ? 0.18 : 0.5), 0.6);
}

TEST_F(FloatTiff, GoesThroughItsProfile) {
    RawTiff raw = floatTiff({0.5F, 0.5F, 0.5F, 0.8F, 0.2F, 0.25F}, 3);
    raw.profile = textOf(profileOfPrimaries(12));  // sRGB's curve
    const Image8 found = read(encodeTiff(raw));
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(found.at(0, 0)[c], 127.5, 1);
    EXPECT_GT(found.at(1, 0)[0], 215);  // Display P3's red is beyond sRGB's
    EXPECT_LT(found.at(1, 0)[1], 40);
}

TEST_F(FloatTiff, KeepsItsAlpha) {
    for (const bool multiplied : {false, true}) {
        const float share = multiplied ? 0.5F : 1.0F;
        RawTiff raw = floatTiff({share * 0.18F, share * 0.5F, share * 1.0F, 0.5F}, 4);
        raw.extra = multiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
        const Image8 found = read(encodeTiff(raw));
        ASSERT_EQ(found.channels, 4);
        const std::array expected{srgbValue(0.18), srgbValue(0.5), 255.0, 127.5};
        for (size_t c = 0; c < 4; ++c) EXPECT_NEAR(found.pixels[c], expected[c], 0.6) << multiplied << ", " << c;
    }
}

TEST_F(FloatTiff, OtherSamplesOfTiffAreRefused) {
    RawTiff wide{
        .width = 1,
        .height = 1,
        .bits = 64,
        .samples = std::vector<uint8_t>(24, 0),
    };
    wide.format = SAMPLEFORMAT_IEEEFP;
    expectInputError([&] { read(encodeTiff(wide)); }, {"picture", "floating-point samples of 64 bits", "expected 16 or 32 bits"});
    RawTiff sign{.width = 1, .height = 1, .bits = 16, .samples = std::vector<uint8_t>(6, 0)};
    sign.format = SAMPLEFORMAT_INT;
    expectInputError([&] { read(encodeTiff(sign)); }, {"picture", "samples in format 2", "expected unsigned integers (1)"});
    RawTiff integers{.width = 1, .height = 1, .bits = 32, .samples = std::vector<uint8_t>(12, 0)};
    expectInputError([&] { read(encodeTiff(integers)); }, {"picture", "32-bit samples", "expected up to 16 bits"});
}

}  // namespace
}  // namespace splat
