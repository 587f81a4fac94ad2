#include "reference/blobs.h"

#include <cmath>

#include <gtest/gtest.h>

#include "reference/render.h"

namespace splat::reference {
namespace {

constexpr double kTolerance = 1e-12;

// By hand: ln 2, 0.5, ln 3 is the factor ((2, 0), (1, 3)), so the covariance is ((4, 2), (2, 10)), of determinant 36.
TEST(ReferenceBlobs, FreeBlobsHaveTheCovarianceOfTheirFactor) {
    const Projected p = projectBlob({7, 9, std::log(2), 0.5, std::log(3), -0.2, 0.4, 1.5, 0}, {});
    EXPECT_NEAR(p.mean.x, 7, kTolerance);
    EXPECT_NEAR(p.mean.y, 9, kTolerance);
    EXPECT_NEAR(p.conic.x, 10.0 / 36, kTolerance);
    EXPECT_NEAR(p.conic.y, -2.0 / 36, kTolerance);
    EXPECT_NEAR(p.conic.z, 4.0 / 36, kTolerance);
    EXPECT_NEAR(p.opacity, 0.5, kTolerance);
    EXPECT_EQ(p.colour, glm::dvec3(-0.2, 0.4, 1.5));
}

TEST(ReferenceBlobs, DilationAndScaleChangeTheCovariance) {
    const Projected p = projectBlob({7, 9, 0, 0, 0, 0, 0, 0, 0}, {.dilation = 3, .scale = {2, 1}, .offset = {-1, 4}});
    EXPECT_NEAR(p.mean.x, 13, kTolerance);
    EXPECT_NEAR(p.mean.y, 13, kTolerance);
    EXPECT_NEAR(p.conic.x, 1.0 / 16, kTolerance);
    EXPECT_NEAR(p.conic.z, 1.0 / 4, kTolerance);
    EXPECT_NEAR(p.opacity, 0.5, kTolerance);
}

// A unit variance at half the size is 1/4; the box of two of the picture's pixels is wider than that of one by (1 - 1/4) / 12 of the image's.
TEST(ReferenceBlobs, SmallerImagesAverageThePicture) {
    const Projected p = projectBlob({7, 9, 0, 0, 0, 0, 0, 0, 0}, {.scale = {2, 0.5}});
    EXPECT_NEAR(p.conic.x, 1.0 / 4, kTolerance);
    EXPECT_NEAR(p.conic.z, 1 / (0.25 + 0.0625), kTolerance);
    EXPECT_NEAR(p.opacity, 0.5 * std::sqrt(0.25 / 0.3125), kTolerance);
}

// S(0.5) = 0.5 and S(0.625 * 0.8) = S(0.5); S(0.25) = 0.15625. Parameters beyond 1 are as 1.
TEST(ReferenceBlobs, DemoBlobsFollowThePublishedMaps) {
    const BlobSettings settings{.kind = BlobKind::demo, .picture = {100, 200}};
    const Projected p = projectBlob({0.5, 0.25, 0.625, 0.625, 0.5 / 0.6, 0.625, 2, -1, 1}, settings);
    EXPECT_NEAR(p.mean.x, 50, kTolerance);
    EXPECT_NEAR(p.mean.y, 31.25, kTolerance);
    EXPECT_NEAR(p.conic.x, 1 / (0.505e-4 * 1e4), kTolerance);
    EXPECT_NEAR(p.conic.y, 0, kTolerance);
    EXPECT_NEAR(p.conic.z, 1 / (0.505e-4 * 4e4), kTolerance);
    EXPECT_NEAR(p.opacity, 1, kTolerance);
    EXPECT_NEAR(p.colour.x, 0.5, kTolerance);
    EXPECT_NEAR(p.colour.y, 1, kTolerance);
    EXPECT_NEAR(p.colour.z, 0, kTolerance);
}

TEST(ReferenceBlobs, GradientsAreThoseOfTheFields) {
    const BlobNumbers blob{7, 9, std::log(2), 0.5, std::log(3), -0.2, 0.4, 1.5, 0};
    const BlobNumbers byMean = blobGradient(blob, {.scale = {2, 3}}, {.mean = {1, 10}});
    const BlobNumbers expected{2, 30, 0, 0, 0, 0, 0, 0, 0};
    for (size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(byMean[k], expected[k], 1e-7) << kBlobFields[k];
    EXPECT_NEAR(blobGradient(blob, {}, {.opacity = 1})[8], 0.25, 1e-9);
    EXPECT_NEAR(blobGradient(blob, {}, {.colour = {0, 1, 0}})[6], 1, 1e-9);
    EXPECT_NEAR(blobGradient(blob, {}, {.conic = {1, 0, 0}})[2], -2 * 0.25,
                1e-7);  // conic.x = 1 / xx^2 + (yx / xx yy)^2, of which yx / xx stays
}

// Two splats of alpha 0.5 over the pixel: the first does not hide the second.
TEST(ReferenceBlobs, SummedSplatsAddUp) {
    const Projected grey{
        .visible = true, .mean = {0.5, 0.5}, .conic = {1, 0, 1}, .opacity = 0.5, .colour = {0.4, 0.6, 2}, .depth = 1, .halfExtent = {3, 3}};
    const std::vector<Projected> two{grey, grey};
    const Rendering picture = blend(two, 1, 1, {.background = {0.1, 0, 0}, .summed = true});
    EXPECT_NEAR(picture.colour.pixels[0], 0.5, kTolerance);
    EXPECT_NEAR(picture.colour.pixels[1], 0.6, kTolerance);
    EXPECT_NEAR(picture.colour.pixels[2], 2, kTolerance);
}

}  // namespace
}  // namespace splat::reference
