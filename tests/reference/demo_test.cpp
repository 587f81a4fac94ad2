#include "reference/demo.h"

#include <gtest/gtest.h>

#include <splatwright/core/rng.h>

namespace splat::reference {
namespace {

std::vector<BlobNumbers> randomBlobs(size_t count) {
    Rng rng(5);
    std::vector<BlobNumbers> blobs(count);
    for (BlobNumbers& blob : blobs) {
        for (double& number : blob) number = rng.uniform(0.1, 0.9);
        blob[0] = rng.uniform(0.02, 0.16);
        blob[1] = rng.uniform(0.02, 0.14);
    }
    return blobs;
}

// The image is the corner of a larger picture: standard deviations of blobs are up to a hundredth of its sides.
DemoSettings settings() { return {.blobs = {.kind = BlobKind::demo, .picture = {400, 320}}, .background = {0.9, 0.2, 0.4}}; }

// A loss that weighs every value of the picture differently.
double lossOf(const std::vector<BlobNumbers>& blobs, const DemoSettings& s, const Image<double>& weights) {
    const Image<double> picture = demoPicture(blobs, s, weights.width, weights.height).colour;
    double loss = 0;
    for (size_t i = 0; i < weights.pixels.size(); ++i) loss += weights.pixels[i] * picture.pixels[i];
    return loss;
}

TEST(ReferenceDemo, GradientsAreFiniteDifferencesOfTheLoss) {
    const auto blobs = randomBlobs(12);
    Image<double> weights(30, 20, 3);
    Rng rng(6);
    for (double& weight : weights.pixels) weight = rng.uniform(-0.1, 0.1);
    for (const bool twice : {false, true}) {
        DemoSettings s = settings();
        s.premultipliesTwice = twice;
        const auto gradients = demoGradients(blobs, s, weights);
        for (size_t i = 0; i < blobs.size(); ++i)
            for (size_t k = 0; k < kBlobFields.size(); ++k) {
                constexpr double kStep = 1e-6;
                auto low = blobs, high = blobs;
                low[i][k] -= kStep;
                high[i][k] += kStep;
                const double change = (lossOf(high, s, weights) - lossOf(low, s, weights)) / (2 * kStep);
                EXPECT_NEAR(gradients[i][k], change, 1e-6 * (1 + std::abs(change))) << "blob " << i << ", " << kBlobFields[k];
            }
    }
}

TEST(ReferenceDemo, PixelsGradientsAreClamped) {
    const std::vector<BlobNumbers> blob = randomBlobs(1);
    Image<double> by(30, 20, 3);
    by.pixels.assign(by.pixels.size(), 1e9);
    const auto gradients = demoGradients(blob, settings(), by);
    for (const double gradient : gradients[0]) EXPECT_LE(std::abs(gradient), 10.0 * 30 * 20);
}

// A blob whose box reaches the tile with a corner only is in its list; one beyond is not.
TEST(ReferenceDemo, TilesListWhatTheirSquareOverlaps) {
    DemoSettings s = settings();
    s.blobs.picture = {1600, 1600};
    BlobNumbers blob{};
    blob[4] = 0.5 / 0.6;                // no correlation
    blob[2] = blob[3] = 0;              // variances of 0.005e-4, which is 1.131 pixels: the box has half sides of 4.525
    const auto lists = [&](double x) {  // of the blob with this centre, pixels
        double low = 0, high = 0.5;
        for (int i = 0; i < 60; ++i) {  // the inverse of S
            const double p = (low + high) / 2;
            (1600 * (3 * p * p - 2 * p * p * p) < x ? low : high) = p;
        }
        blob[0] = blob[1] = low;
        const std::vector<BlobNumbers> all{blob};
        return demoTile(all, s, {0, 0}).blobs.size();
    };
    EXPECT_EQ(lists(20.4), 1u);
    EXPECT_EQ(lists(20.7), 0u);
}

TEST(ReferenceDemo, LongListsAreCutOrTheirEndIsLost) {
    BlobNumbers blob{};
    for (double& number : blob) number = 0.5;
    DemoSettings s = settings();
    s.blobs.picture = {48, 48};
    const std::vector<BlobNumbers> few(256, blob), many(257, blob);
    EXPECT_FALSE(demoTile(few, s, {1, 1}).cut);
    EXPECT_TRUE(demoTile(many, s, {1, 1}).cut);
    EXPECT_EQ(demoTile(many, s, {1, 1}).blobs.size(), 257u);
    s.losesBlobs = true;
    EXPECT_FALSE(demoTile(many, s, {1, 1}).cut);
    EXPECT_EQ(demoTile(many, s, {1, 1}).blobs.size(), 256u);
}

}  // namespace
}  // namespace splat::reference
