#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/scene/gaussians/usable.h>
#include <splatwright/scene/pictures/flat_gaussians.h>
#include "blob_samples.h"
#include "reference/render.h"
#include "splat_samples.h"

namespace splat {
namespace {

using namespace test;

Blobs oneBlob(glm::vec3 factor) {
    Blobs blobs{.width = 400, .height = 300, .centres = {{200, 150}}, .factors = {factor}, .colours = {{1, 0.5F, 0}}, .opacities = {0.5F}};
    return blobs;
}

/// The covariance in the plane and the one that the blob asks for agree to 1e-6 of the largest element, and in both axes.
void expectSameCovariance(const Blobs& blobs) {
    const Gaussians gaussians = flatGaussians(blobs);
    const double scale = 2.0 / std::max(blobs.width, blobs.height);
    for (size_t i = 0; i < blobs.count(); ++i) {
        const glm::dvec3 factor = glm::dvec3(blobs.factors[i]) * scale;
        const glm::dmat2 lower{{factor.x, factor.y}, {0, factor.z}};  // columns
        const glm::dmat2 expected = lower * glm::transpose(lower);
        const glm::dmat3 found = covarianceOf(gaussians, i);
        const double size = std::max(expected[0][0], expected[1][1]);
        for (int column = 0; column < 2; ++column)
            for (int row = 0; row < 2; ++row) ASSERT_NEAR(found[column][row], expected[column][row], 1e-6 * size) << i;
        const glm::dvec3 scales = glm::exp(glm::dvec3(gaussians.logScales[i]));
        ASSERT_NEAR(scales.x * scales.y / (factor.x * factor.z), 1, 2e-6) << i << ": the area is that of both axes";
        ASSERT_GE(scales.x, scales.y * (1 - 1e-6)) << i;
        ASSERT_NEAR(scales.z / scales.y, 1e-3, 1e-8) << i;
        ASSERT_GT(scales.z, 0) << i;
        for (int k = 0; k < 2; ++k) ASSERT_NEAR(found[2][k], 0, 1e-12 * size) << i << ": flat";
    }
}

TEST(FlatGaussians, CovariancesAreThoseOfThePicture) {
    expectSameCovariance(pictureLikeBlobs(2000, false));
    Blobs blobs = pictureLikeBlobs(0, true);
    Rng rng(3);
    for (const double ratio : {1.0, 1.0 + 1e-6, 2.0, 30.0, 1000.0}) {
        for (const double size : {0.05, 1.0, 300.0}) {
            for (int i = 0; i < 64; ++i) {
                blobs.resize(blobs.count() + 1);
                blobs.factors.back() = factorOf(size, size / ratio, i < 16 ? i * 3.14159265358979 / 8 : rng.uniform(-4, 4));
            }
        }
    }
    expectSameCovariance(blobs);
}

TEST(FlatGaussians, EitherSignOfTheOffDiagonalTurnsTheRightWay) {
    for (const float xx : {1.0F, 0.001F, 5.0F}) {
        for (const float yx : {-1000.0F, -1.0F, -1e-6F, 0.0F, 1e-6F, 1.0F, 1000.0F}) expectSameCovariance(oneBlob({xx, yx, 1}));
    }
    // A blob that falls to the right, y being down, has its longer axis along (1, 1).
    const Gaussians falling = flatGaussians(oneBlob({2, 2, 0.1F})), rising = flatGaussians(oneBlob({2, -2, 0.1F}));
    EXPECT_GT(covarianceOf(falling, 0)[0][1], 0);
    EXPECT_LT(covarianceOf(rising, 0)[0][1], 0);
}

TEST(FlatGaussians, RoundBlobsAreRound) {
    const Gaussians gaussians = flatGaussians(oneBlob({4, 0, 4}));
    EXPECT_EQ(gaussians.logScales[0].x, gaussians.logScales[0].y);
    EXPECT_NEAR(gaussians.logScales[0].x, std::log(4 * 2.0 / 400), 1e-6);
    EXPECT_EQ(gaussians.rotations[0], glm::vec4(1, 0, 0, 0));
}

TEST(FlatGaussians, ThePictureLiesAroundTheOriginWithXRightAndYDown) {
    for (const auto& [width, height] : {std::pair(400U, 300U), std::pair(300U, 400U), std::pair(1U, 1U), std::pair(65536U, 1U)}) {
        Blobs blobs = oneBlob({1, 0, 1});
        blobs.width = width, blobs.height = height;
        blobs.resize(3);
        const auto w = static_cast<float>(width), h = static_cast<float>(height);
        blobs.centres = {{0, 0}, {w, h}, {w / 2, h / 2}};
        const Gaussians gaussians = flatGaussians(blobs);
        const glm::vec2 corner = glm::vec2(w, h) / std::max(w, h);
        EXPECT_LT(glm::distance(glm::vec2(gaussians.means[0]), -corner), 1e-6F) << width;
        EXPECT_LT(glm::distance(glm::vec2(gaussians.means[1]), corner), 1e-6F) << width;
        EXPECT_EQ(glm::vec2(gaussians.means[2]), glm::vec2(0)) << width;
    }
}

TEST(FlatGaussians, TheFirstBlobIsInFront) {
    for (const size_t count : {2U, 255U, 256U, 257U, 70'000U, 1'000'000U}) {
        Blobs blobs = oneBlob({1, 0, 1});
        blobs.resize(count);
        const Gaussians gaussians = flatGaussians(blobs);
        ASSERT_EQ(gaussians.count(), count);
        EXPECT_FLOAT_EQ(gaussians.means.front().z, -0.5e-3F);
        EXPECT_FLOAT_EQ(gaussians.means.back().z, 0.5e-3F);
        for (size_t i = 1; i < count; ++i) ASSERT_LT(gaussians.means[i - 1].z, gaussians.means[i].z) << i << " of " << count;
    }
    EXPECT_EQ(flatGaussians(Blobs{.width = 3, .height = 2}).count(), 0U);
    EXPECT_NEAR(flatGaussians(oneBlob({1, 0, 1})).means[0].z, 0, 1e-3);
}

TEST(FlatGaussians, ColoursAndOpacitiesAreThoseOfThePicture) {
    const Blobs blobs = wildBlobs(500, false);
    const Gaussians gaussians = flatGaussians(blobs);
    EXPECT_EQ(gaussians.shDegree, 0);
    EXPECT_FALSE(gaussians.antialiased);
    for (size_t i = 0; i < blobs.count(); ++i) {
        const glm::vec3 colour = 0.5F + 0.28209479F * gaussians.sh[i];
        ASSERT_LT(glm::distance(colour, blobs.colours[i]), 1e-5F * (1 + glm::length(blobs.colours[i]))) << i;
        ASSERT_NEAR(sigmoid(gaussians.logitOpacities[i]), blobs.opacities[i], 1.5e-6) << i;
        ASSERT_LE(std::abs(gaussians.logitOpacities[i]), 13.8156) << i;  // ln(1e6 - 1)
    }
}

/// The picture at a pixel by its definition, with what a viewer adds: its low-pass filter and its cut at 1/255.
glm::dvec3 blendedAt(const Blobs& blobs, const glm::dvec2& pixel) {
    glm::dvec3 colour(0);
    double transmittance = 1;
    for (size_t i = 0; i < blobs.count(); ++i) {
        const glm::dvec3 f = blobs.factors[i];
        const glm::dmat2 lower{{f.x, f.y}, {0, f.z}};
        const glm::dmat2 covariance = lower * glm::transpose(lower) + glm::dmat2(reference::kDilation);
        const glm::dvec2 offset = pixel - glm::dvec2(blobs.centres[i]);
        const double alpha = blobs.opacities[i] * std::exp(-0.5 * glm::dot(offset, glm::inverse(covariance) * offset));
        if (alpha < reference::kMinAlpha) continue;
        colour += transmittance * alpha * glm::dvec3(blobs.colours[i]);
        transmittance *= 1 - alpha;
    }
    return colour + transmittance * glm::dvec3(blobs.background);
}

TEST(FlatGaussians, ACameraBeforeThemSeesThePicture) {
    for (const auto& [width, height] : {std::pair(48, 20), std::pair(20, 48)}) {
        Rng rng(5);
        Blobs blobs = pictureLikeBlobs(10, false);
        blobs.width = static_cast<uint32_t>(width), blobs.height = static_cast<uint32_t>(height);
        for (size_t i = 0; i < blobs.count(); ++i) {
            blobs.centres[i] = {rng.uniform(0, width), rng.uniform(0, height)};
            blobs.factors[i] = factorOf(rng.uniform(2, 9), rng.uniform(2, 9), rng.uniform(0, 3.14159));
            blobs.colours[i] = {rng.uniform(), rng.uniform(), rng.uniform()};
            blobs.opacities[i] = static_cast<float>(rng.uniform(0.2, 0.6));  // no pixel is nearly opaque, where renderers stop
        }
        constexpr double kDistance = 20, kPixelsPerUnit = 48 / 2.0;
        const Camera camera{.width = width,
                            .height = height,
                            .fx = kDistance * kPixelsPerUnit,
                            .fy = kDistance * kPixelsPerUnit,
                            .cx = width / 2.0,
                            .cy = height / 2.0,
                            .translation = {0, 0, kDistance}};
        const reference::Settings settings{.background = blobs.background, .nearCutMargin = 0.01};
        const reference::Rendering found = reference::render(reference::fromGaussians(flatGaussians(blobs)), camera, settings);
        int compared = 0;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                if (found.nearCut.at(x, y)[0] != 0) continue;
                ++compared;
                const glm::dvec3 expected = blendedAt(blobs, {x + 0.5, y + 0.5});
                for (int c = 0; c < 3; ++c) ASSERT_NEAR(found.colour.at(x, y)[static_cast<size_t>(c)], expected[c], 3e-4) << x << ", " << y;
            }
        }
        EXPECT_GT(compared, 9 * width * height / 10);
    }
}

TEST(FlatGaussians, AnyPictureCanBeDrawn) {
    const Blobs blobs = wildBlobs(2000, true);
    const Gaussians gaussians = flatGaussians(blobs);
    for (size_t i = 0; i < gaussians.count(); ++i) ASSERT_TRUE(isUsable(gaussians, i)) << i;
}

}  // namespace
}  // namespace splat
