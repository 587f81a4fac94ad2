#include <splatwright/train/kinds/file_bits.h>

#include <array>
#include <cmath>

namespace splat {

namespace {

constexpr int kMeasuredBits = 10;  // of which most rounding is visible, and its picture is still similar

double meanSquare(const ImageF& a, const ImageF& b) {
    double sum = 0;
    for (size_t i = 0; i < a.pixels.size(); ++i) {
        const double difference = double{a.pixels[i]} - double{b.pixels[i]};
        sum += difference * difference;
    }
    return sum / static_cast<double>(a.pixels.size());
}

using Shares = std::array<double, kBlobAttributes>;

/// What rounding each attribute to kMeasuredBits alone changes.
Shares measuredShares(const Blobs& blobs, const std::function<ImageF(const Blobs&)>& draw) {
    BlobEncoding fine;
    fine.bits.fill(kMostBlobBits);
    const ImageF exact = draw(roundedBlobs(blobs, fine));  // else each share would hold the rest's rounding
    Shares shares{};
    for (size_t a = 0; a < kBlobAttributes; ++a) {
        BlobEncoding rounded = fine;
        rounded.bits[a] = kMeasuredBits;
        shares[a] = meanSquare(draw(roundedBlobs(blobs, rounded)), exact);
    }
    return shares;
}

}  // namespace

BlobEncoding bitsFor(const Blobs& blobs, const std::function<ImageF(const Blobs&)>& draw, double most) {
    BlobEncoding encoding;
    encoding.bits.fill(1);
    Shares shares = measuredShares(blobs, draw);
    double sum = 0;
    for (double& share : shares) sum += share *= std::pow(4, kMeasuredBits - 1);
    while (sum > most) {
        size_t next = kBlobAttributes;  // the attribute whose next bit gains most per number of the file
        double best = 0;
        for (size_t a = 0; a < kBlobAttributes; ++a) {
            const double gain = shares[a] / static_cast<double>(kBlobRows[a].words);
            if (encoding.bits[a] == kMostBlobBits || gain <= best) continue;
            next = a;
            best = gain;
        }
        if (next == kBlobAttributes) break;
        ++encoding.bits[next];
        sum -= 0.75 * shares[next];
        shares[next] /= 4;
    }
    return encoding;
}

double differenceThatCosts(double psnr, double decibels) { return std::pow(10, -psnr / 10) * (std::pow(10, decibels / 10) - 1); }

}  // namespace splat
