// How many bits a picture's file gets: as few as keep the rounding within what it may change.
#include <gtest/gtest.h>

#include <cmath>

#include <splatwright/train/kinds/file_bits.h>
#include <splatwright/train/kinds/picture_results.h>
#include "scene/blob_samples.h"
#include "support/gpu_scene.h"
#include "support/test_device.h"

namespace splat {
namespace {

ImageF draw(const Blobs& blobs) { return renderBlobs(testDevice(), testSort(), blobs); }

double meanSquare(const ImageF& a, const ImageF& b) {
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::pow(double{a.pixels[i]} - double{b.pixels[i]}, 2);
    return sum / static_cast<double>(a.pixels.size());
}

int sumOf(const BlobEncoding& encoding) {
    int sum = 0;
    for (size_t a = 0; a < kBlobAttributes; ++a) sum += encoding.bits[a] * static_cast<int>(kBlobRows[a].words);
    return sum;
}

TEST(FileBits, RoundingChangesThePictureByAboutWhatItMay) {
    for (const bool summed : {false, true}) {
        const Blobs blobs = test::pictureLikeBlobs(3000, summed);
        const ImageF exact = draw(blobs);
        for (const double decibels : {35.0, 45.0, 55.0}) {
            const double most = std::pow(10, -decibels / 10);
            const BlobEncoding encoding = bitsFor(blobs, draw, most);
            const double found = meanSquare(draw(roundedBlobs(blobs, encoding)), exact);
            EXPECT_LT(found, 1.5 * most) << decibels << " dB, summed " << summed;
            EXPECT_GT(found, most / 6) << decibels << " dB, summed " << summed;  // a bit for all would be a factor of four
        }
    }
}

/// One bit more for any attribute costs more than the same bits elsewhere would gain.
TEST(FileBits, NoBitIsBetterElsewhere) {
    const Blobs blobs = test::pictureLikeBlobs(3000, false);
    const ImageF exact = draw(blobs);
    const auto errorOf = [&](const BlobEncoding& encoding) { return meanSquare(draw(roundedBlobs(blobs, encoding)), exact); };
    const BlobEncoding chosen = bitsFor(blobs, draw, 1e-4);
    const double error = errorOf(chosen);
    for (size_t from = 0; from < kBlobAttributes; ++from)
        for (size_t to = 0; to < kBlobAttributes; ++to) {
            if (from == to || kBlobRows[from].words < kBlobRows[to].words) continue;  // moved bits must be free
            BlobEncoding moved = chosen;
            --moved.bits[from];
            ++moved.bits[to];
            EXPECT_GT(errorOf(moved), 0.9 * error) << kBlobRows[from].name << " to " << kBlobRows[to].name;
        }
}

TEST(FileBits, GrowWithWhatIsAskedUpToSixteen) {
    const Blobs blobs = test::pictureLikeBlobs(500, true);
    int last = 0;
    for (const double most : {1.0, 1e-2, 1e-4, 1e-6}) {
        const int bits = sumOf(bitsFor(blobs, draw, most));
        EXPECT_GT(bits, last) << most;
        last = bits;
    }
    for (const int bits : bitsFor(blobs, draw, 0).bits) EXPECT_EQ(bits, kMostBlobBits);
}

TEST(FileBits, NumbersThatAreAllEqualTakeOneBit) {
    Blobs blobs = test::pictureLikeBlobs(500, true);
    std::ranges::fill(blobs.opacities, 0.9f);
    const BlobEncoding encoding = bitsFor(blobs, draw, 1e-6);
    EXPECT_EQ(encoding.bits[static_cast<size_t>(BlobAttribute::opacities)], 1);
    EXPECT_GT(encoding.bits[static_cast<size_t>(BlobAttribute::centres)], 1);
}

// At 40 dB the errors' mean square is 1e-4; twice that is 3.01 dB less.
TEST(FileBits, ADifferenceCostsWhatItAddsToTheErrors) {
    EXPECT_NEAR(differenceThatCosts(40, 10 * std::log10(2)), 1e-4, 1e-12);
    EXPECT_NEAR(differenceThatCosts(30, 10), 9e-3, 1e-12);
    EXPECT_EQ(differenceThatCosts(std::numeric_limits<double>::infinity(), 1), 0);
}

}  // namespace
}  // namespace splat
