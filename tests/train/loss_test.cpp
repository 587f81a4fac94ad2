
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "reference/losses.h"
#include "support/test_device.h"
#include "train/photometric_value.h"
#include "train/step_buffer.h"

namespace splat {
namespace {

struct Pictures {
    uint32_t width;
    uint32_t height;
    std::vector<glm::vec3> colour;
    std::vector<uint32_t> target;
    Coverage coverage = Coverage::none;
};

const glm::vec3 kBackground(0.9F, 0.2F, 0.6F);

uint32_t packed(glm::vec3 c) {
    uint32_t word = 0xff000000;
    for (int i = 0; i < 3; ++i) word |= static_cast<uint32_t>(std::lround(std::clamp(c[i], 0.0F, 1.0F) * 255)) << (8 * i);
    return word;
}

glm::vec3 unpacked(uint32_t word) { return glm::vec3(word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff) * (1.0F / 255); }

/// A smooth picture with noise, as photographs are, and a render that differs by up to `error` and leaves 0..1 in places.
Pictures pictures(uint32_t width, uint32_t height, float error) {
    Pictures p{.width = width, .height = height, .colour = {}, .target = {}};
    Rng rng(width * 1000 + height);
    const auto noise = [&] { return 2 * static_cast<float>(rng.uniform()) - 1; };
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x) {
            const glm::vec3 phase(0, 1, 2);
            const glm::vec3 smooth = 0.5F + 0.5F * glm::sin(phase + 0.13F * static_cast<float>(x) + 0.07F * static_cast<float>(y));
            p.target.push_back(packed(smooth + 0.05F * glm::vec3(noise(), noise(), noise())));
            p.colour.push_back(unpacked(p.target.back()) + error * glm::vec3(noise(), noise(), noise()));
        }
    return p;
}

Image<double> asImage(const Pictures& p, const std::vector<glm::vec3>& values) {
    Image<double> image(static_cast<int>(p.width), static_cast<int>(p.height), 3);
    for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<double>(values[i / 3][static_cast<int>(i % 3)]);
    return image;
}

Image<double> targetImage(const Pictures& p) {
    std::vector<glm::vec3> values;
    for (uint32_t word : p.target) values.push_back(unpacked(word));
    return asImage(p, values);
}

struct Result {
    std::vector<glm::vec3> gradient;
    shared::LossSums sums;
};

/// Weights of the loss's terms.
struct Mix {
    float lambda;
    float l2Share = 0;
};
constexpr std::array kMixes{Mix{0}, Mix{0.2F}, Mix{1}, Mix{0, 1}, Mix{0, 0.3F}, Mix{0.2F, 0.6F}, Mix{0.2F, 1}};

/// Runs with a scratch that is larger than the image, and with the photograph in the middle of a larger buffer.
Result run(const Pictures& p, Mix mix, uint32_t spare = 7, gpu::Device& device = testDevice()) {
    const size_t before = 256;  // words; any device's offset alignment
    const gpu::Buffer colour = device.buffer<glm::vec3>("colour", p.colour.size());
    const gpu::Buffer photographs = device.buffer<uint32_t>("photographs", before + p.target.size());
    const gpu::Buffer gradient = device.buffer<glm::vec3>("gradient", p.colour.size());
    const gpu::Buffer sums = device.buffer<shared::LossSums>("sums", 1);
    const gpu::Buffer step = stepBuffer(device, {.frame = {.background = kBackground}});
    const gpu::Buffer memory = device.buffer<std::byte>("scratch", LossScratch::bytes(p.width + spare, p.height + spare));
    gpu::Arena arena(memory);
    const LossScratch scratch(device, arena, p.width + spare, p.height + spare);
    const gpu::BufferSlice target = photographs.slice(before * 4, p.target.size() * 4);
    device.upload(colour, p.colour);
    device.upload(target, p.target);
    const LossInputs inputs{.colour = colour,
                            .target = target,
                            .width = p.width,
                            .height = p.height,
                            .ssimLambda = mix.lambda,
                            .l2Share = mix.l2Share,
                            .step = step,
                            .coverage = p.coverage};
    device.run("loss", [&](gpu::Commands& c) { recordPhotometricLoss(c, inputs, scratch, {.gradient = gradient, .sums = sums}); });
    return {.gradient = device.download<glm::vec3>(gradient, p.colour.size()), .sums = device.download<shared::LossSums>(sums, 1)[0]};
}

/// Bit for bit, for sums that are numbers.
void expectEqual(const shared::LossSums& a, const shared::LossSums& b) {
    EXPECT_EQ(a.l1, b.l1);
    EXPECT_EQ(a.ssim, b.ssim);
    EXPECT_EQ(a.l2, b.l2);
}

double relativeL2(const Image<double>& found, const Image<double>& expected) {
    double difference = 0, norm = 0;
    for (size_t i = 0; i < found.pixels.size(); ++i) {
        difference += std::pow(found.pixels[i] - expected.pixels[i], 2);
        norm += std::pow(expected.pixels[i], 2);
    }
    return std::sqrt(difference / norm);
}

using Case = std::tuple<glm::uvec2, Mix, float>;  // size, weights, error

class LossAgreement : public testing::TestWithParam<Case> {};

TEST_P(LossAgreement, ValueAndGradientAreTheReferences) {
    const auto [size, mix, error] = GetParam();
    const Pictures p = pictures(size.x, size.y, error);
    const Result found = run(p, mix);
    const Image<double> colour = asImage(p, p.colour), target = targetImage(p);
    const reference::Loss expected =
        reference::photometricLoss(colour, target, static_cast<double>(mix.lambda), static_cast<double>(mix.l2Share));
    const LossValue value = lossValue(found.sums, p.width, p.height, mix.lambda, mix.l2Share);
    const double gradientError = relativeL2(asImage(p, found.gradient), expected.gradient);
    EXPECT_LE(gradientError, 1e-4);
    EXPECT_NEAR(value.l1, reference::l1(colour, target), 1e-5 * reference::l1(colour, target));
    EXPECT_NEAR(value.l2, reference::l2(colour, target), 1e-5 * reference::l2(colour, target));
    if (mix.lambda > 0) {
        EXPECT_NEAR(value.ssim, reference::ssim(colour, target), 1e-5 * std::abs(reference::ssim(colour, target)));
    }
    EXPECT_NEAR(value.total, expected.value, 1e-5 * expected.value + 1e-7);  // SSIM near 1 is known to a float's last digit
    RecordProperty("gradient_error", fmt::format("{:.2e}", gradientError));
}

// Sizes within a tile of either pass, exactly one, across their borders in both directions, and of which one tile or none has whole windows; renders
// far from the photograph and close to it.
INSTANTIATE_TEST_SUITE_P(Sizes, LossAgreement,
                         testing::Combine(testing::Values(glm::uvec2(1, 1), glm::uvec2(5, 3), glm::uvec2(4, 30), glm::uvec2(30, 4),
                                                          glm::uvec2(5, 31), glm::uvec2(31, 5), glm::uvec2(3, 29), glm::uvec2(29, 3),
                                                          glm::uvec2(65, 17), glm::uvec2(17, 65), glm::uvec2(64, 16), glm::uvec2(16, 64),
                                                          glm::uvec2(70, 45), glm::uvec2(103, 109), glm::uvec2(1, 190), glm::uvec2(191, 2)),
                                          testing::ValuesIn(kMixes), testing::Values(0.02F, 0.5F)));

/// Fourth bytes of all kinds: runs of 0 and of 255, and others between.
Pictures covered(Pictures p, Coverage coverage) {
    p.coverage = coverage;
    Rng rng(p.width);
    for (size_t i = 0; i < p.target.size(); ++i) {
        const uint64_t kind = i / 5 % 3;
        const uint64_t fourth = kind == 0 ? 0 : kind == 1 ? 255 : rng.below(256);
        p.target[i] = (p.target[i] & 0xffffffU) | static_cast<uint32_t>(fourth) << 24U;
    }
    return p;
}

Image<double> fourthOf(const Pictures& p) {
    Image<double> fourth(static_cast<int>(p.width), static_cast<int>(p.height), 1);
    for (size_t i = 0; i < p.target.size(); ++i) fourth.pixels[i] = (p.target[i] >> 24U) / 255.0;
    return fourth;
}

Image<double> overBackground(const Pictures& p) {
    Image<double> target = targetImage(p);
    const Image<double> alpha = fourthOf(p);
    for (size_t i = 0; i < target.pixels.size(); ++i) {
        const double a = alpha.pixels[i / 3];
        target.pixels[i] = a * target.pixels[i] + (1 - a) * static_cast<double>(kBackground[static_cast<int>(i % 3)]);
    }
    return target;
}

reference::Loss expectedLoss(const Pictures& p, Mix mix) {
    const Image<double> colour = asImage(p, p.colour);
    const auto lambda = static_cast<double>(mix.lambda), l2Share = static_cast<double>(mix.l2Share);
    if (p.coverage == Coverage::alpha) return reference::photometricLoss(colour, overBackground(p), lambda, l2Share);
    if (p.coverage == Coverage::mask) return reference::maskedLoss(colour, targetImage(p), fourthOf(p), lambda, l2Share);
    return reference::photometricLoss(colour, targetImage(p), lambda, l2Share);
}

class LossOfCovered : public testing::TestWithParam<Coverage> {};

TEST_P(LossOfCovered, ValueAndGradientAreTheReferences) {
    for (const glm::uvec2 size : {glm::uvec2(1, 1), glm::uvec2(17, 33), glm::uvec2(32, 32), glm::uvec2(70, 45)})
        for (const Mix mix : kMixes) {
            const Pictures p = covered(pictures(size.x, size.y, 0.3F), GetParam());
            const Result found = run(p, mix);
            const reference::Loss expected = expectedLoss(p, mix);
            const double value = lossValue(found.sums, p.width, p.height, mix.lambda, mix.l2Share).total;
            EXPECT_NEAR(value, expected.value, 1e-5 * expected.value + 1e-7) << size.x << "x" << size.y;
            const Image<double> gradient = asImage(p, found.gradient);
            for (size_t i = 0; i < gradient.pixels.size(); ++i)
                EXPECT_NEAR(gradient.pixels[i], expected.gradient.pixels[i], 1e-4 / (size.x * size.y)) << size.x << "x" << size.y;
        }
}

std::string nameOf(const testing::TestParamInfo<Coverage>& coverage) {
    constexpr std::array kNames{"none", "alpha", "mask"};
    return kNames[static_cast<size_t>(coverage.param)];
}
INSTANTIATE_TEST_SUITE_P(Kinds, LossOfCovered, testing::Values(Coverage::none, Coverage::alpha, Coverage::mask), nameOf);

TEST(Loss, PixelsThatDoNotCountGetNoGradientAndChangeNothing) {
    Pictures p = covered(pictures(70, 45, 0.3F), Coverage::mask);
    const Result before = run(p, {0.2F});
    for (size_t i = 0; i < p.colour.size(); ++i) {
        if (p.target[i] >> 24U) continue;
        EXPECT_EQ(before.gradient[i], glm::vec3(0));
        p.colour[i] = glm::vec3(7, 0, 3);
    }
    const Result after = run(p, {0.2F});
    expectEqual(before.sums, after.sums);
    EXPECT_EQ(before.gradient, after.gradient);
}

TEST(Loss, TheFourthByteOfOpaquePhotographsIsNotRead) {
    Pictures p = pictures(70, 45, 0.3F);
    const Result opaque = run(p, {0.2F});
    for (uint32_t& word : p.target) word &= 0xffffffU;  // without coverage the fourth byte says nothing
    const Result found = run(p, {0.2F});
    EXPECT_EQ(opaque.gradient, found.gradient);
    expectEqual(opaque.sums, found.sums);
}

TEST(Loss, RerunsAgreeBitForBit) {
    const Pictures p = pictures(70, 45, 0.3F);
    const Result first = run(p, {0.2F}), second = run(p, {0.2F});
    EXPECT_EQ(std::memcmp(first.gradient.data(), second.gradient.data(), first.gradient.size() * sizeof(glm::vec3)), 0);
    expectEqual(first.sums, second.sums);
}

// Derivatives are padded at the end of each column: also those of the last column must fit.
TEST(Loss, AScratchOfTheImagesOwnSizeIsEnough) {
    for (const glm::uvec2 size : {glm::uvec2(1, 1), glm::uvec2(13, 7), glm::uvec2(33, 5), glm::uvec2(30, 8)}) {
        const Pictures p = pictures(size.x, size.y, 0.3F);
        EXPECT_EQ(run(p, {0.2F}, 0).gradient, run(p, {0.2F}, 40).gradient) << size.x << "x" << size.y;
    }
}

TEST(Loss, IsZeroForEqualPictures) {
    const Pictures p = pictures(70, 45, 0);
    const Result found = run(p, {0.2F});
    EXPECT_NEAR(lossValue(found.sums, p.width, p.height, 0.2F).total, 0, 1e-7);
    for (glm::vec3 g : found.gradient) EXPECT_LT(glm::length(g), 1e-7F);
}

// Values far above 1 come from splats that pile up early in training: they must not break the step.
TEST(Loss, StaysFiniteFarAboveOne) {
    Pictures p = pictures(40, 30, 0.1F);
    for (glm::vec3& c : p.colour) c = c * 100.0F + 1000.0F;
    const Result found = run(p, {0.2F});
    EXPECT_TRUE(std::isfinite(found.sums.l1) && std::isfinite(found.sums.ssim));
    for (glm::vec3 g : found.gradient) EXPECT_TRUE(std::isfinite(g.x + g.y + g.z));
}

// Sums of a million values: the error must stay that of the sums of tiles.
TEST(Loss, SumsOfALargePictureKeepTheirDigits) {
    Pictures p{.width = 1200, .height = 900, .colour = {}, .target = {}};
    p.colour.assign(size_t{p.width} * p.height, glm::vec3(0.3F, 0.6F, 0.1F));
    p.target.assign(size_t{p.width} * p.height, packed(glm::vec3(0)));
    EXPECT_NEAR(lossValue(run(p, {0.2F}).sums, p.width, p.height, 0.2F).l1, 1.0 / 3, 1e-6);
}

TEST(Loss, AnImageLargerThanTheScratchIsRefused) {
    gpu::Device& device = testDevice();
    const gpu::Buffer buffer = device.buffer<glm::vec3>("any", 64);
    const gpu::Buffer memory = device.buffer<std::byte>("scratch", LossScratch::bytes(4, 4));
    gpu::Arena arena(memory);
    const LossScratch scratch(device, arena, 4, 4);
    const LossInputs inputs{.colour = buffer, .target = buffer.slice(0, 64), .width = 5, .height = 3, .step = buffer};
    EXPECT_THROW(
        device.run("loss", [&](gpu::Commands& c) { recordPhotometricLoss(c, inputs, scratch, {.gradient = buffer, .sums = buffer}); }),
        std::logic_error);
}

TEST(Loss, ValidationIsSilent) {
    for (const Mix mix : kMixes) run(pictures(70, 45, 0.3F), mix);
    EXPECT_EQ(testDevice().validationMessages(), 0u);
}

}  // namespace
}  // namespace splat
