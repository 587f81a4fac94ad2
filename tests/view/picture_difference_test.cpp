// Differences of pictures against a double-precision reference on the host, for any number of pixels around the groups of the kernel.
#include <splatwright/view/picture_difference.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include <splatwright/view/render_modes.h>
#include "picture_reference.h"
#include "support/test_device.h"

namespace splat {
namespace {

constexpr uint32_t kGroup = 256;

struct Difference {
    PictureDifference::Answer answer;
    Words picture, first, second;
};

Difference compared(PictureDifference& difference, const Words& first, const Words& second, glm::uvec2 size, float white, bool keeps) {
    gpu::Device& device = testDevice();
    const gpu::Buffer a = device.buffer<uint32_t>("first", first.size()), b = device.buffer<uint32_t>("second", second.size());
    device.upload(a, first);
    device.upload(b, second);
    difference.ask({a, b, size}, white, keeps);
    difference.finish();
    const auto answer = difference.answer();
    EXPECT_TRUE(answer.has_value());
    Difference found{.answer = answer.value_or(PictureDifference::Answer{}), .picture = {}, .first = {}, .second = {}};
    found.picture = device.download<uint32_t>(difference.picture(), first.size());
    if (!keeps) return found;
    found.first.assign(difference.first().begin(), difference.first().end());
    found.second.assign(difference.second().begin(), difference.second().end());
    return found;
}

/// The definition, in double precision.
Difference expected(const Words& first, const Words& second, double white) {
    Difference all;
    for (size_t i = 0; i < first.size(); ++i) {
        const glm::ivec3 off = channelsOf(first[i]) - channelsOf(second[i]);
        all.answer.squaredError += static_cast<uint64_t>(off.x * off.x + off.y * off.y + off.z * off.z);
        const double mean = (std::abs(off.x) + std::abs(off.y) + std::abs(off.z)) / (3 * 255.0);
        all.picture.push_back(pixelWord(glm::dvec3(mappedColour(mean / white, "inferno"))));
    }
    return all;
}

Words noise(size_t count, uint64_t seed) {
    Rng rng(seed);
    Words words(count);
    for (uint32_t& word : words) word = static_cast<uint32_t>(rng.below(1u << 24u)) | 255u << 24u;
    return words;
}

void expectNear(const Words& found, const Words& wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < found.size(); ++i) {
        const glm::ivec3 off = glm::abs(channelsOf(found[i]) - channelsOf(wanted[i]));
        ASSERT_LE(std::max({off.x, off.y, off.z}), 1) << i;  // single precision rounds some halves otherwise
        ASSERT_EQ(found[i] >> 24u, 255u) << i;
    }
}

TEST(PictureDifferenceReference, IsTheHandComputedOne) {
    const Difference d = expected({0x000000ffu, 0x00010203u}, {0x0000007fu, 0x00010203u}, 1.0);
    EXPECT_EQ(d.answer.squaredError, 128u * 128u);
    EXPECT_EQ(d.picture[0], pixelWord(glm::dvec3(mappedColour(128.0 / 765, "inferno"))));
    EXPECT_EQ(d.picture[1], pixelWord(glm::dvec3(mappedColour(0, "inferno"))));
    EXPECT_NEAR((PictureDifference::Answer{.size = {2, 1}, .squaredError = 6}.psnr()), 20 * std::log10(255), 1e-12);
}

TEST(PictureDifference, IsThatOfTheDoubleReferenceForEverySizeAcrossGroups) {
    PictureDifference difference(testDevice());
    for (const uint32_t pixels : {1u, 2u, kGroup - 1, kGroup, kGroup + 1, 3 * kGroup - 1, 3 * kGroup, 9 * kGroup + 17, kGroup, 5u}) {
        const Words first = noise(pixels, pixels), second = noise(pixels, pixels + 1000);
        const Difference found = compared(difference, first, second, {pixels, 1}, 0.5F, true), wanted = expected(first, second, 0.5);
        EXPECT_EQ(found.answer.squaredError, wanted.answer.squaredError) << pixels;
        EXPECT_TRUE(found.answer.keeps);
        EXPECT_EQ(found.first, first) << pixels;
        EXPECT_EQ(found.second, second) << pixels;
        expectNear(found.picture, wanted.picture);
    }
}

/// The sum has more than 32 bits.
TEST(PictureDifference, OfBlackAndWhiteIsExact) {
    PictureDifference difference(testDevice());
    const glm::uvec2 size(1000, 500);
    const Words black(500'000, 255u << 24u), white(500'000, UINT32_MAX);
    const Difference found = compared(difference, black, white, size, 1, false);
    EXPECT_EQ(found.answer.squaredError, 500'000ull * 3 * 255 * 255);
    EXPECT_EQ(found.answer.psnr(), 0);
    EXPECT_FALSE(found.answer.keeps);
    expectNear({found.picture[499'999]}, {pixelWord(glm::dvec3(mappedColour(1, "inferno")))});
}

TEST(PictureDifference, OfEqualPicturesIsNothing) {
    PictureDifference difference(testDevice());
    const Words same = noise(777, 3);
    const Difference found = compared(difference, same, same, {777, 1}, 0.25F, false);
    EXPECT_EQ(found.answer.psnr(), std::numeric_limits<double>::infinity());
    expectNear(found.picture, Words(777, pixelWord(glm::dvec3(mappedColour(0, "inferno")))));
}

TEST(PictureDifference, ASmallDifferenceIsWhiteWhereItIsAskedFor) {
    PictureDifference difference(testDevice());
    const Words first(300, 0xff101010u), second(300, 0xff1a1a1au);  // ten steps
    for (const double white : {10 / 255.0, 20 / 255.0, 1.0})
        expectNear(compared(difference, first, second, {20, 15}, static_cast<float>(white), false).picture,
                   expected(first, second, white).picture);
}

/// What is kept stays while later questions keep nothing.
TEST(PictureDifference, PicturesThatAreKeptOutliveTheNextQuestion) {
    PictureDifference difference(testDevice());
    const Words first = noise(600, 1), second = noise(600, 2);
    compared(difference, first, second, {30, 20}, 1, true);
    compared(difference, noise(400, 3), noise(400, 4), {20, 20}, 1, false);
    EXPECT_EQ(Words(difference.first().begin(), difference.first().end()), first);
    EXPECT_EQ(Words(difference.second().begin(), difference.second().end()), second);
}

}  // namespace
}  // namespace splat
