#include <splatwright/train/evaluate/lpips.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include <splatwright/gpu/check.h>
#include "reference/lpips.h"
#include "support/test_device.h"
#include "train/lpips_samples.h"

namespace splat {
namespace {

/// A smooth picture.
Image8 picture(int width, int height) {
    Image8 image(width, height, 3);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (size_t c = 0; c < 3; ++c)
                image.at(x, y)[c] =
                    static_cast<uint8_t>(std::lround(127.5 + 90 * std::sin(0.3 * x + 0.2 * y * static_cast<double>(c + 1))));
    return image;
}

/// The image with noise of up to so many steps of 8 bits, the same pattern for every amplitude.
Image8 noisy(Image8 image, double amplitude, uint64_t seed = 1) {
    Rng rng(seed);
    for (uint8_t& value : image.pixels)
        value = static_cast<uint8_t>(std::clamp<long>(std::lround(value + amplitude * rng.uniform(-1, 1)), 0, 255));
    return image;
}

/// Every network of the table, with the same random weights in all tests.
class LpipsOfNetwork : public testing::TestWithParam<size_t> {
protected:
    static const LpipsWeights& weights() {
        static std::map<size_t, LpipsWeights> all;
        const auto found = all.find(GetParam());
        if (found != all.end()) return found->second;
        return all.emplace(GetParam(), test::randomLpipsWeights(lpipsNetworks()[GetParam()], 3)).first->second;
    }
    static double expected(const Image8& a, const Image8& b) {
        std::vector<reference::ConvolutionWeights> layers;
        for (const LpipsWeights::Layer& layer : weights().layers) layers.push_back({layer.weights, layer.biases, layer.head});
        return weights().network->name == "vgg16" ? reference::lpipsVgg16({a, b}, layers) : reference::lpipsAlexNet({a, b}, layers);
    }
    static int smallestSide() { return static_cast<int>(weights().network->smallestSide()); }

    Lpips lpips{testDevice(), weights()};
};

// A tenth of a thousandth: up to 13 layers of float sums of thousands of products, each good to about 1e-6.
TEST_P(LpipsOfNetwork, IsTheReferences) {
    const Image8 a = picture(smallestSide() + 4, smallestSide() + 6), b = noisy(a, 60);
    const double reference = expected(a, b);
    EXPECT_GT(reference, 0.01);
    EXPECT_NEAR(lpips.distance(a, b), reference, 1e-4 * reference);
}

TEST_P(LpipsOfNetwork, TheSmallestImageIsTakenAndASmallerOneRefusedByName) {
    const int side = smallestSide();
    lpips.checkSize("view.png", side, side);
    const Image8 a = picture(side, side), b = noisy(a, 50);
    const double reference = expected(a, b);
    EXPECT_NEAR(lpips.distance(a, b), reference, 1e-4 * reference);
    const std::string sizes = fmt::format("{}x{}", side, side);
    test::expectInputError([&] { lpips.checkSize("view.png", side - 1, 100); },
                           {"view.png", fmt::format("{}x100", side - 1), "at least " + sizes});
    test::expectInputError([&] { lpips.checkSize("view.png", 100, side - 1); }, {"view.png", fmt::format("100x{}", side - 1)});
}

INSTANTIATE_TEST_SUITE_P(Networks, LpipsOfNetwork, testing::Range(size_t{0}, lpipsNetworks().size()),
                         [](const auto& test) { return std::string(lpipsNetworks()[test.param].name); });

// The class's own properties are the same for every network: AlexNet is the faster one.

const LpipsWeights& alexNetWeights() {
    static const LpipsWeights weights = test::randomLpipsWeights(lpipsNetworks()[1], 4);
    return weights;
}

TEST(Lpips, OfEqualImagesIsZero) {
    const Image8 image = noisy(picture(33, 31), 100);
    EXPECT_EQ(Lpips(testDevice(), alexNetWeights()).distance(image, image), 0);
}

TEST(Lpips, GrowsWithTheNoise) {
    Lpips lpips(testDevice(), alexNetWeights());
    const Image8 image = picture(34, 32);
    double last = 0;
    for (const double amplitude : {3.0, 15.0, 70.0}) {
        const double distance = lpips.distance(noisy(image, amplitude), image);
        EXPECT_GT(distance, last) << amplitude;
        last = distance;
    }
}

TEST(Lpips, IsTheSameEachTimeAndInBothDirections) {
    Lpips lpips(testDevice(), alexNetWeights());
    const Image8 a = picture(37, 33), b = noisy(a, 50);
    const double distance = lpips.distance(a, b);
    EXPECT_EQ(lpips.distance(a, b), distance);
    EXPECT_EQ(lpips.distance(b, a), distance);
}

// Buffers are kept while they are large enough; what another image left in them must not matter.
TEST(Lpips, DoesNotDependOnEarlierImages) {
    Lpips lpips(testDevice(), alexNetWeights());
    const Image8 first = picture(33, 40);
    lpips.distance(first, noisy(first, 50));
    for (const auto& [width, height] : {std::pair(50, 31), std::pair(31, 31), std::pair(34, 44)}) {
        const Image8 a = picture(width, height), b = noisy(a, 50);
        EXPECT_EQ(lpips.distance(a, b), Lpips(testDevice(), alexNetWeights()).distance(a, b)) << width << "x" << height;
    }
}

TEST(Lpips, ImagesOfDifferentSizeAreRefused) {
    Lpips lpips(testDevice(), alexNetWeights());
    EXPECT_THROW(lpips.distance(picture(40, 41), picture(41, 40)), std::logic_error);
}

TEST(Lpips, FeaturesBeyondTheLargestBindingAreRefusedWithTheSize) {
    const uint32_t side = 1u + static_cast<uint32_t>(std::sqrt(static_cast<double>(testDevice().limits().maxStorageBufferRange) / 12));
    if (side > 8192) GTEST_SKIP() << "images beyond the device's largest binding do not fit into the memory of tests";
    Lpips lpips(testDevice(), alexNetWeights());
    const Image8 image(static_cast<int>(side), static_cast<int>(side), 3);
    try {
        lpips.distance(image, image);
        ADD_FAILURE() << "expected gpu::OutOfMemory";
    } catch (const gpu::OutOfMemory& error) {
        for (const std::string& part : {fmt::format("{}x{}", side, side), std::string("maxStorageBufferRange")})
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

// torchvision's feature maps of a 224x224 image, and the smallest images.
TEST(LpipsNetworks, HaveTheSizesOfTheirPapers) {
    const auto sides = [](const LpipsNetwork& network) {
        std::vector<uint32_t> found;
        glm::uvec2 size(224);
        for (const LpipsLayer& layer : network.layers) {
            size = layer.convolved(size);
            if (layer.isCompared) found.push_back(size.x);
        }
        return found;
    };
    EXPECT_EQ(sides(lpipsNetworks()[0]), (std::vector<uint32_t>{224, 112, 56, 28, 14}));
    EXPECT_EQ(sides(lpipsNetworks()[1]), (std::vector<uint32_t>{55, 27, 13, 13, 13}));
    EXPECT_EQ(lpipsNetworks()[0].smallestSide(), 16u);
    EXPECT_EQ(lpipsNetworks()[1].smallestSide(), 31u);
}

}  // namespace
}  // namespace splat
