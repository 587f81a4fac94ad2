// Pictures of a high dynamic range: HEIC and AVIF with PQ or HLG.
#include <cmath>

#include <splatwright/scene/images/hdr_to_srgb.h>
#include <splatwright/scene/images/image_file.h>

#include "photograph_encoders.h"

namespace splat {
namespace {

using namespace test;

constexpr int kPq = 16;

struct HdrPictures : testing::Test {
    Image8 read(const std::string& content) const { return readImage(scratch.write("picture", content)); }

    Scratch scratch;
};

std::array<uint8_t, 3> converted(HdrTransfer transfer, int primaries, std::array<double, 3> signal) {
    const HdrToSrgb toSrgb(transfer, *findHdrPrimaries(primaries), 10);
    std::vector<uint16_t> samples;
    for (const double s : signal) samples.push_back(static_cast<uint16_t>(std::lround(1023 * s)));
    std::array<uint8_t, 3> found{};
    toSrgb.convert(samples, 3, found);
    return found;
}

double greyOf(HdrTransfer transfer, double signal) {
    const auto found = converted(transfer, 9, {signal, signal, signal});
    for (const uint8_t value : found) EXPECT_NEAR(value, found[0], 1) << signal;
    return found[0];
}

/// Signals of ITU-R BT.2408, table 1: PQ 0.58 and HLG 0.75 are a white surface, 0.38 and 0.38 grey of 18 %: 26 cd/m2.
TEST_F(HdrPictures, SignalsBecomeTheLightThatStandardsSay) {
    for (const auto& [transfer, signal] : {std::pair(HdrTransfer::pq, 0.38), std::pair(HdrTransfer::hlg, 0.38)})
        EXPECT_NEAR(greyOf(transfer, signal), srgbValue(26.0 / 203), 3) << static_cast<int>(transfer);
    EXPECT_NEAR(greyOf(HdrTransfer::pq, 0.58), greyOf(HdrTransfer::hlg, 0.75), 1);
    EXPECT_NEAR(greyOf(HdrTransfer::pq, 0.58), 227, 2);  // by BT.2390's curve: 157 cd/m2
    for (const auto transfer : {HdrTransfer::pq, HdrTransfer::hlg}) EXPECT_EQ(greyOf(transfer, 0), 0);
}

TEST_F(HdrPictures, HighlightsStayApartUpToAThousand) {
    for (const auto& [transfer, brightest] : {std::pair(HdrTransfer::pq, 0.7518), std::pair(HdrTransfer::hlg, 1.0)}) {
        double last = -1;
        for (int step = 0; step < 20 * brightest; ++step) {
            const double signal = step / 20.0;
            const double found = greyOf(transfer, signal);
            EXPECT_GT(found, last) << signal;
            last = found;
        }
        EXPECT_EQ(greyOf(transfer, brightest), 255);
        EXPECT_EQ(greyOf(transfer, 1), 255);
    }
}

TEST_F(HdrPictures, ColoursKeepTheirHueAndLieInSrgb) {
    // A grey-blue of 40, 40 and 60 cd/m2 in sRGB's primaries and as it is in BT.2020's (ITU-R BT.2087).
    const auto signal = [](double light) {
        const double root = std::pow(light / 10000, 2610.0 / 16384);
        return std::pow((3424.0 / 4096 + 2413.0 / 128 * root) / (1 + 2392.0 / 128 * root), 2523.0 / 32);
    };
    const std::array srgb{40.0, 40.0, 60.0};
    const std::array wide{0.6274 * 40 + 0.3293 * 40 + 0.0433 * 60, 0.0691 * 40 + 0.9195 * 40 + 0.0114 * 60,
                          0.0164 * 40 + 0.0880 * 40 + 0.8956 * 60};
    const auto own = converted(HdrTransfer::pq, 1, {signal(srgb[0]), signal(srgb[1]), signal(srgb[2])});
    const auto found = converted(HdrTransfer::pq, 9, {signal(wide[0]), signal(wide[1]), signal(wide[2])});
    for (size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(own[c], srgbValue(srgb[c] / 203), 1.5) << c;
        EXPECT_NEAR(found[c], own[c], 1.5) << c;
    }
    // A highlight of 800, 400 and 200 cd/m2 is as red as it was.
    const auto bright = converted(HdrTransfer::pq, 1, {signal(800), signal(400), signal(200)});
    const auto light = [](double value) { return std::pow((value / 255 + 0.055) / 1.055, 2.4); };
    EXPECT_NEAR(light(bright[0]) / light(bright[1]), 2, 0.05);
    EXPECT_NEAR(light(bright[1]) / light(bright[2]), 2, 0.05);
}

/// A white surface, which is no white where the curve is taken as sRGB's.
TEST_F(HdrPictures, HeicAndAvifAreConvertedAsTheirCodePointsSay) {
    Image8 image(32, 32, 3);
    for (const auto& [transfer, signal] : {std::pair(HdrTransfer::pq, 0.58), std::pair(HdrTransfer::hlg, 0.75)}) {
        const double expected = greyOf(transfer, signal);
        HeifExtras extras{.transfer = static_cast<int>(transfer), .primaries = 9};
        std::ranges::fill(image.pixels, static_cast<uint8_t>(std::lround(255 * signal)));
        for (const auto format : {heif_compression_HEVC, heif_compression_AV1})
            EXPECT_NEAR(read(encodeHeif(image, format, extras)).at(16, 16)[1], expected, 3) << extras.transfer;
        extras.bits = 10;
        extras.samples.assign(image.pixels.size(), static_cast<uint16_t>(std::lround(1023 * signal)));
        EXPECT_NEAR(read(encodeHeif(image, heif_compression_HEVC, extras)).at(16, 16)[1], expected, 2) << extras.transfer;
    }
}

TEST_F(HdrPictures, OtherCurvesAndPrimariesAreRefused) {
    const Image8 image(32, 32, 3);
    expectInputError([&] { read(encodeHeif(image, heif_compression_AV1, {.transfer = 8})); },
                     {"picture", "transfer characteristics 8", "expected sRGB's or alike, PQ (16) or HLG (18)"});
    expectInputError([&] { read(encodeHeif(image, heif_compression_AV1, {.transfer = kPq, .primaries = 5})); },
                     {"picture", "colour primaries 5", "expected 1, 9 or 12"});
    EXPECT_EQ(read(encodeHeif(image, heif_compression_AV1, {.transfer = 1})).width, 32);  // cameras' curve
}

}  // namespace
}  // namespace splat
