// Pictures of inks, CMYK: JPEG and TIFF with a printer's profile, and kinds that are refused.
#include <cmath>

#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/images/to_srgb.h>

#include "ink_samples.h"
#include "photograph_encoders.h"

namespace splat {
namespace {

using namespace test;

/// What the printer prints, in sRGB, 0 to 255: CIE 1976, white D50 adapted by Bradford (IEC 61966-2-1).
std::array<double, 3> printed(const Inks& inks) {
    constexpr double kMatrix[3][3]{
        {3.1338561, -1.6168667, -0.4906146}, {-0.9787684, 1.9161415, 0.0334540}, {0.0719453, -0.2289914, 1.4052427}};
    const auto [l, a, b] = labOf(inks);
    const auto light = [](double f) { return f > 6.0 / 29 ? f * f * f : 3 * 36.0 / 841 * (f - 4.0 / 29); };
    const double fy = (l + 16) / 116;
    const std::array<double, 3> xyz{0.9642 * light(fy + a / 500), light(fy), 0.8249 * light(fy - b / 200)};
    std::array<double, 3> found{};
    for (size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (size_t k = 0; k < 3; ++k) sum += kMatrix[c][k] * xyz[k];
        found[c] = srgbValue(sum);
    }
    return found;
}

/// (1 - C)(1 - K).
std::array<double, 3> withoutProfile(const Inks& inks) {
    return {255 * (1 - inks[0]) * (1 - inks[3]), 255 * (1 - inks[1]) * (1 - inks[3]), 255 * (1 - inks[2]) * (1 - inks[3])};
}

const std::vector<Inks> kSquares{{0, 0, 0, 0},       {0.6, 0.2, 0, 0.2},   {0, 0.6, 0.4, 0},
                                 {0.2, 0, 0.8, 0.2}, {0.2, 0.2, 0.2, 0.4}, {0.4, 0.4, 0, 0.4}};

/// Squares of 16 pixels; `inverted` as Adobe's JPEGs are.
Image8 inkPicture(bool inverted) {
    Image8 image(16 * static_cast<int>(kSquares.size()), 16, 4);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < image.width; ++x)
            for (size_t c = 0; c < 4; ++c) {
                const auto level = static_cast<uint8_t>(std::lround(255 * kSquares[static_cast<size_t>(x / 16)][c]));
                image.at(x, y)[c] = inverted ? static_cast<uint8_t>(255 - level) : level;
            }
    return image;
}

struct InkProfiles : testing::Test {
    Image8 read(const std::string& content) const { return readImage(scratch.write("picture", content)); }

    void expectColours(const std::string& content, std::array<double, 3> (*expected)(const Inks&), const std::string& what) const {
        const Image8 found = read(content);
        ASSERT_EQ(found.channels, 3) << what;
        ASSERT_EQ(found.width, 16 * static_cast<int>(kSquares.size())) << what;
        for (size_t i = 0; i < kSquares.size(); ++i)
            for (size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(found.at(static_cast<int>(16 * i) + 8, 8)[c], expected(kSquares[i])[c], 2.5)
                    << what << ", square " << i << ", channel " << c;
    }

    Scratch scratch;
};

/// TIFFs store inks as they are.
RawTiff inkTiff(int bits, int channels = 4) {
    const Image8 image = inkPicture(false);
    RawTiff raw{.width = image.width, .height = image.height, .channels = channels, .bits = bits, .photometric = PHOTOMETRIC_SEPARATED};
    for (size_t i = 0; i < image.pixels.size(); ++i) {
        raw.samples.insert(raw.samples.end(), static_cast<size_t>(bits / 8), image.pixels[i]);  // 16 bits: 257 times the value
        if (i % 4 == 3) raw.samples.insert(raw.samples.end(), static_cast<size_t>((channels - 4) * bits / 8), uint8_t{9});
    }
    if (channels > 4) raw.extra = EXTRASAMPLE_UNASSALPHA;
    return raw;
}

/// Every way that inks lie in a TIFF.
std::vector<std::pair<std::string, RawTiff>> inkTiffs() {
    std::vector<std::pair<std::string, RawTiff>> all{{"8 bits", inkTiff(8)}, {"16 bits", inkTiff(16)}, {"an extra channel", inkTiff(8, 5)},
                                                     {"tiles", inkTiff(16)}, {"planes", inkTiff(8)},   {"wide planes", inkTiff(16, 5)}};
    all[3].second.tile = 32;
    all[3].second.compression = COMPRESSION_LZW;
    all[4].second.planar = all[5].second.planar = PLANARCONFIG_SEPARATE;
    return all;
}

TEST_F(InkProfiles, InksOfJpegGoThroughTheirProfile) {
    const std::string profile = printersProfile();
    for (const bool asYcck : {false, true}) {
        const std::string file = encodeJpeg(inkPicture(true), 100, false, asYcck);
        expectColours(jpegWithProfile(file, profile), printed, asYcck ? "YCCK" : "CMYK");
        expectColours(file, withoutProfile, asYcck ? "YCCK" : "CMYK");
    }
}

TEST_F(InkProfiles, InksOfTiffGoThroughTheirProfile) {
    for (auto& [what, raw] : inkTiffs()) {
        expectColours(encodeTiff(raw), withoutProfile, what);
        raw.profile = printersProfile();
        expectColours(encodeTiff(raw), printed, what + ", profile");
    }
}

TEST_F(InkProfiles, AProfileOfAnotherKindIsNotTakenForThatOfInks) {
    const std::string displayP3 = textOf(profileOfPrimaries(12));
    expectColours(jpegWithProfile(encodeJpeg(inkPicture(true), 100), displayP3), withoutProfile, "RGB's profile");
    std::string damaged = printersProfile();
    damaged.resize(damaged.size() / 2);
    expectColours(jpegWithProfile(encodeJpeg(inkPicture(true), 100), damaged), withoutProfile, "damaged");
    const Image8 colours = testImage(9, 7, 3);
    EXPECT_EQ(read(pngWithProfile(encodePng(rawPng(colours)), printersProfile())).pixels, colours.pixels);
}

TEST_F(InkProfiles, OtherInksAndSamplesAreRefused) {
    RawTiff other = inkTiff(8);
    other.inkSet = INKSET_MULTIINK;
    expectInputError([&] { read(encodeTiff(other)); }, {"picture", "ink set 2", "expected CMYK (1)"});
    RawTiff few = inkTiff(8);
    few.channels = 3;
    expectInputError([&] { read(encodeTiff(few)); }, {"picture", "3 channels", "expected CMYK", "at least 4"});
    RawTiff floats = inkTiff(16);
    floats.format = SAMPLEFORMAT_IEEEFP;
    expectInputError([&] { read(encodeTiff(floats)); }, {"picture", "sample format 3", "expected CMYK"});
}

TEST_F(InkProfiles, EveryPrefixOfAnInkTiffIsRefused) {
    RawTiff raw{.width = 3, .height = 2, .channels = 4, .photometric = PHOTOMETRIC_SEPARATED, .samples = std::vector<uint8_t>(24, 7)};
    for (const auto compression : {COMPRESSION_NONE, COMPRESSION_LZW}) {
        raw.compression = static_cast<uint16_t>(compression);
        const std::string whole = encodeTiff(raw);
        for (size_t length = 0; length + 1 < whole.size(); ++length)
            EXPECT_THROW(read(whole.substr(0, length)), InputError) << compression << ", " << length << " of " << whole.size();
    }
}

}  // namespace
}  // namespace splat
