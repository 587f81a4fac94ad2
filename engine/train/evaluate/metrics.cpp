#include <splatwright/train/evaluate/metrics.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/psnr.h>
#include <splatwright/core/threads.h>

namespace splat {
namespace {

constexpr int kRadius = 5;
constexpr int kWindow = 2 * kRadius + 1;
constexpr double kSigma = 1.5;
constexpr double kC1 = (0.01 * 255) * (0.01 * 255);  // of values in 0..255
constexpr double kC2 = (0.03 * 255) * (0.03 * 255);
constexpr int kBandRows =
    64;  // rows of windows per task: small enough for many cores, large enough to amortise the ten extra rows that each task loads

using Window = std::array<double, kWindow>;

Window gaussianWindow() {
    Window window{};
    for (int k = 0; k < kWindow; ++k) window[static_cast<size_t>(k)] = std::exp(-(k - kRadius) * (k - kRadius) / (2 * kSigma * kSigma));
    const double sum = std::accumulate(window.begin(), window.end(), 0.0);
    for (double& weight : window) weight /= sum;
    return window;
}

void checkSameShape(const Image8& a, const Image8& b) {
    SPLAT_CHECK(a.width == b.width && a.height == b.height && a.channels == b.channels, "{}x{}x{} against {}x{}x{}", a.width, a.height,
                a.channels, b.width, b.height, b.channels);
    SPLAT_CHECK(!a.pixels.empty(), "{}x{} pixels", a.width, a.height);
}

/// The image with a black border, so that every window is inside.
Image8 padded(const Image8& image, int border) {
    Image8 out(image.width + 2 * border, image.height + 2 * border, image.channels);
    const auto row = static_cast<std::ptrdiff_t>(image.width) * image.channels;
    for (int y = 0; y < image.height; ++y) std::copy_n(image.pixels.begin() + y * row, row, out.at(border, y + border).begin());
    return out;
}

/// x, y, x² + y² and xy of a value, or their windowed means. SSIM needs the two variances only as a sum.
using Moments = std::array<double, 4>;

double similarity(const Moments& m) {
    const double product = m[0] * m[1], squares = m[0] * m[0] + m[1] * m[1];
    return (2 * product + kC1) * (2 * (m[3] - product) + kC2) / ((squares + kC1) * (m[2] - squares + kC2));
}

/// Windows of consecutive rows, all entirely inside the images; eleven rows of pixels are held at a time.
class Band {
public:
    Band(const Image8& x, const Image8& y)
        : x_(x),
          y_(y),
          rowValues_(static_cast<size_t>(x.width * x.channels)),
          held_(kWindow, std::vector<Moments>(rowValues_)),
          blurred_(rowValues_) {}

    /// Sum of the similarities of the windows whose top row is in [begin, end).
    double sum(int begin, int end) {
        double total = 0;
        for (int y = begin; y < begin + kWindow - 1; ++y) load(y);
        for (int y = begin; y < end; ++y) {
            load(y + kWindow - 1);
            blurDown(y);
            total += sumAcross();
        }
        return total;
    }

private:
    std::vector<Moments>& row(int y) { return held_[static_cast<size_t>(y % kWindow)]; }

    void load(int y) {
        const size_t first = static_cast<size_t>(y) * rowValues_;
        std::vector<Moments>& to = row(y);
        for (size_t i = 0; i < rowValues_; ++i) {
            const double a = x_.pixels[first + i], b = y_.pixels[first + i];
            to[i] = {a, b, a * a + b * b, a * b};
        }
    }

    void blurDown(int top) {
        std::array<const Moments*, kWindow> rows{};
        for (int k = 0; k < kWindow; ++k) rows[static_cast<size_t>(k)] = row(top + k).data();
        const Window window = window_;  // a local, which stores to the moments cannot alias
        for (size_t i = 0; i < rowValues_; ++i) {
            Moments sum{};
            for (size_t k = 0; k < kWindow; ++k)
                for (size_t m = 0; m < sum.size(); ++m) sum[m] += window[k] * rows[k][i][m];
            blurred_[i] = sum;
        }
    }

    double sumAcross() const {
        const auto step = static_cast<size_t>(x_.channels);
        const Window window = window_;
        double total = 0;
        for (size_t first = 0; first + (kWindow - 1) * step < rowValues_; ++first) {
            Moments sum{};
            for (size_t k = 0; k < kWindow; ++k)
                for (size_t m = 0; m < sum.size(); ++m) sum[m] += window[k] * blurred_[first + k * step][m];
            total += similarity(sum);
        }
        return total;
    }

    const Window window_ = gaussianWindow();
    const Image8& x_;
    const Image8& y_;
    size_t rowValues_;
    std::vector<std::vector<Moments>> held_;  // ring by row
    std::vector<Moments> blurred_;
};

/// Mean over all windows inside. Bands are computed in parallel and summed in order, so that the result does not depend on the threads.
double meanSimilarity(const Image8& x, const Image8& y) {
    const int windowRows = x.height - kWindow + 1;
    std::vector<double> sums(static_cast<size_t>((windowRows + kBandRows - 1) / kBandRows));
    parallelFor(sums.size(), [&](size_t i) {
        const int begin = static_cast<int>(i) * kBandRows;
        sums[i] = Band(x, y).sum(begin, std::min(begin + kBandRows, windowRows));
    });
    const double windows = static_cast<double>(windowRows) * (x.width - kWindow + 1) * x.channels;
    return std::accumulate(sums.begin(), sums.end(), 0.0) / windows;
}

}  // namespace

Image8 quantised(const ImageF& image) {
    Image8 out(image.width, image.height, image.channels);
    std::transform(image.pixels.begin(), image.pixels.end(), out.pixels.begin(), [](float value) {
        const float clamped = value > 0 ? std::min(value, 1.0F) : 0.0F;  // maps NaN to 0
        return static_cast<uint8_t>(std::lround(clamped * 255));
    });
    return out;
}

double psnr(const Image8& render, const Image8& photograph) {
    checkSameShape(render, photograph);
    uint64_t squares = 0;
    for (size_t i = 0; i < render.pixels.size(); ++i) {
        const int difference = int{render.pixels[i]} - int{photograph.pixels[i]};
        squares += static_cast<uint64_t>(difference * difference);
    }
    return psnrOf(squares, render.pixels.size());
}

double ssim(const Image8& render, const Image8& photograph) {
    checkSameShape(render, photograph);
    if (render.width >= kWindow && render.height >= kWindow) return meanSimilarity(render, photograph);
    return meanSimilarity(padded(render, kRadius), padded(photograph, kRadius));
}

}  // namespace splat
