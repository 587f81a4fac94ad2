// What densification strategies weigh by blending weights, against a double reference.
#include <splatwright/train/loss/pixel_values.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>
#include "support/test_device.h"
#include "train/step_buffer.h"

namespace splat {
namespace {

const glm::vec3 kBackground(0.9f, 0.2f, 0.6f);
constexpr float kThreshold = 0.3f;
constexpr uint32_t kBefore = 256;  // pixels of other images

struct Pictures {
    Pictures(uint32_t w, uint32_t h) : width(w), height(h) {
        Rng rng(w * 1000 + h);
        for (uint32_t i = 0; i < w * h; ++i) {
            target.push_back(static_cast<uint32_t>(rng.below(UINT32_MAX)));
            colour.emplace_back(rng.uniform(), 1.5 * rng.uniform(), rng.uniform());
        }
    }

    uint32_t width, height;
    std::vector<uint32_t> target;
    std::vector<glm::vec3> colour;
};

double byteOf(uint32_t word, int channel) { return ((word >> (8 * channel)) & 0xffu) / 255.0; }

/// A channel of the training image over the step's background.
double targetOf(uint32_t word, int channel, Coverage coverage) {
    const double value = byteOf(word, channel), background = static_cast<double>(kBackground[channel]);
    return coverage == Coverage::alpha ? background + (value - background) * byteOf(word, 3) : value;
}

double errorOf(const Pictures& p, size_t pixel, Coverage coverage) {
    const double counts = coverage == Coverage::mask ? byteOf(p.target[pixel], 3) : 1;
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += std::abs(static_cast<double>(p.colour[pixel][k]) - targetOf(p.target[pixel], k, coverage)) * counts;
    return sum / 3;
}

double greyAt(const Pictures& p, int x, int y, Coverage coverage) {
    x = std::clamp(x, 0, static_cast<int>(p.width) - 1);
    y = std::clamp(y, 0, static_cast<int>(p.height) - 1);
    const uint32_t word = p.target[static_cast<size_t>(y) * p.width + static_cast<size_t>(x)];
    return 0.299 * targetOf(word, 0, coverage) + 0.587 * targetOf(word, 1, coverage) + 0.114 * targetOf(word, 2, coverage);
}

double edgeOf(const Pictures& p, size_t pixel, Coverage coverage) {
    const int x = static_cast<int>(pixel % p.width), y = static_cast<int>(pixel / p.width);
    double response = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) response += greyAt(p, x, y, coverage) - greyAt(p, x + dx, y + dy, coverage);
    return std::clamp(response, 0.0, 1.0) * (coverage == Coverage::mask ? byteOf(p.target[pixel], 3) : 1);
}

std::vector<float> valuesOf(const Pictures& p, PixelValue kind, Coverage coverage) {
    gpu::Device& device = testDevice();
    const size_t pixels = p.target.size();
    const gpu::Buffer colour = device.buffer<glm::vec3>("colour", pixels);
    const gpu::Buffer photographs = device.buffer<uint32_t>("photographs", kBefore + pixels);
    const gpu::Buffer values = device.buffer<float>("values", pixels + 1);
    std::vector<uint32_t> words(kBefore, 0xdeadbeef);
    words.insert(words.end(), p.target.begin(), p.target.end());
    device.upload(photographs, words);
    device.upload(colour, p.colour);
    device.upload(values, std::vector<float>(pixels + 1, -1));
    const gpu::Buffer step = stepBuffer(device, {.frame = {.background = kBackground}, .photograph = kBefore});
    device.run("pixel values", [&](gpu::Commands& c) {
        recordPixelValues(c, {.kind = kind,
                              .errorThreshold = kThreshold,
                              .colour = colour,
                              .target = photographs,
                              .width = p.width,
                              .height = p.height,
                              .step = step,
                              .coverage = coverage,
                              .values = values});
    });
    auto found = device.download<float>(values, pixels + 1);
    EXPECT_EQ(found.back(), -1) << "nothing is written behind the image";
    found.pop_back();
    return found;
}

constexpr std::array kSizes{glm::uvec2(1, 1),   glm::uvec2(15, 17), glm::uvec2(16, 16),
                            glm::uvec2(257, 1), glm::uvec2(1, 40),  glm::uvec2(64, 48)};
constexpr std::array kCoverages{Coverage::none, Coverage::alpha, Coverage::mask};

template <class Check>
void forAllPictures(PixelValue kind, Check check) {
    for (const glm::uvec2 size : kSizes)
        for (const Coverage coverage : kCoverages) {
            const Pictures p(size.x, size.y);
            const auto found = valuesOf(p, kind, coverage);
            for (size_t i = 0; i < found.size(); ++i) {
                SCOPED_TRACE(testing::Message() << size.x << "x" << size.y << ", pixel " << i);
                check(p, i, coverage, static_cast<double>(found[i]));
            }
        }
}

TEST(PixelValues, ErrorIsTheMeanAbsoluteDifferenceOfTheChannels) {
    forAllPictures(PixelValue::error,
                   [](const Pictures& p, size_t i, Coverage coverage, double found) { EXPECT_NEAR(found, errorOf(p, i, coverage), 1e-6); });
}

TEST(PixelValues, EdgesAreTheLaplacianOfTheTrainingImage) {
    forAllPictures(PixelValue::edge,
                   [](const Pictures& p, size_t i, Coverage coverage, double found) { EXPECT_NEAR(found, edgeOf(p, i, coverage), 2e-6); });
}

TEST(PixelValues, AnEvenImageHasNoEdges) {
    Pictures even(40, 9);
    std::ranges::fill(even.target, 0xffb46e20u);
    for (const float value : valuesOf(even, PixelValue::edge, Coverage::none)) EXPECT_LT(value, 1e-5f);
}

TEST(PixelValues, HighErrorsAreThoseAboveTheThreshold) {
    forAllPictures(PixelValue::highError, [](const Pictures& p, size_t i, Coverage coverage, double found) {
        const double above = errorOf(p, i, coverage) - static_cast<double>(kThreshold);
        EXPECT_TRUE(std::abs(above) < 1e-6 || found == (above > 0 ? 1 : 0)) << found;
    });
}

}  // namespace
}  // namespace splat
