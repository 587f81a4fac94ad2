#include "reference/lpips.h"

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>

namespace splat::reference {

namespace {

/// Adds one tap's products to a row of outputs.
void addTap(const Features& input, int channel, int y, double weight, int first, int stride, std::span<double> output) {
    if (y < 0 || y >= input.height) return;
    const double* row = input.row(channel, y);
    const int begin = first < 0 ? (-first + stride - 1) / stride : 0;
    const int end = std::min(static_cast<int>(output.size()), (input.width - first + stride - 1) / stride);  // beyond are zeros
    for (int i = begin; i < end; ++i) output[static_cast<size_t>(i)] += weight * row[first + i * stride];
}

Features networkInput(const Image8& image) {
    constexpr std::array kShift{-0.030, -0.088, -0.188}, kScale{0.458, 0.448, 0.450};
    Features features(3, image.width, image.height);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            for (size_t c = 0; c < 3; ++c)
                features.row(static_cast<int>(c), y)[x] = (2 * (image.at(x, y)[c] / 255.0) - 1 - kShift[c]) / kScale[c];
    return features;
}

/// Both images' features on their way through a network.
struct Pass {
    std::array<Features, 2> features;
    std::span<const ConvolutionWeights> weights;
    size_t next = 0;
    double distance = 0;

    Pass(const std::array<Image8, 2>& images, std::span<const ConvolutionWeights> w)
        : features{networkInput(images[0]), networkInput(images[1])}, weights(w) {}

    void pool(int window, int stride) {
        for (Features& f : features) f = maxPooled(f, window, stride);
    }
    void convolve(int window, int stride, int padding) {
        for (Features& f : features) f = convolved(f, weights[next], window, stride, padding);
        ++next;
    }
    void compare() { distance += featureDistance(features[0], features[1], weights[next - 1].head); }
};

}  // namespace

double* Features::row(int channel, int y) {
    return values.data() +
           (static_cast<size_t>(channel) * static_cast<size_t>(height) + static_cast<size_t>(y)) * static_cast<size_t>(width);
}

Features convolved(const Features& input, const ConvolutionWeights& w, int window, int stride, int padding) {
    const auto outputs = static_cast<int>(w.biases.size());
    const size_t taps = static_cast<size_t>(input.channels) * static_cast<size_t>(window) * static_cast<size_t>(window);
    SPLAT_CHECK(w.weights.size() == w.biases.size() * taps, "{} weights for {} x {}", w.weights.size(), outputs, taps);
    Features out(outputs, (input.width + 2 * padding - window) / stride + 1, (input.height + 2 * padding - window) / stride + 1);
    for (int o = 0; o < outputs; ++o)
        for (int y = 0; y < out.height; ++y) {
            const std::span row(out.row(o, y), static_cast<size_t>(out.width));
            std::ranges::fill(row, static_cast<double>(w.biases[static_cast<size_t>(o)]));
            const float* weight = w.weights.data() + static_cast<size_t>(o) * taps;
            for (int c = 0; c < input.channels; ++c)
                for (int dy = 0; dy < window; ++dy)
                    for (int dx = 0; dx < window; ++dx)
                        addTap(input, c, y * stride - padding + dy, static_cast<double>(*weight++), dx - padding, stride, row);
            for (double& value : row) value = std::max(value, 0.0);
        }
    return out;
}

Features maxPooled(const Features& input, int window, int stride) {
    Features out(input.channels, (input.width - window) / stride + 1, (input.height - window) / stride + 1);
    for (int c = 0; c < out.channels; ++c)
        for (int y = 0; y < out.height; ++y)
            for (int x = 0; x < out.width; ++x) {
                const int left = x * stride, top = y * stride;
                double largest = input.row(c, top)[left];
                for (int dy = 0; dy < window; ++dy)
                    for (int dx = 0; dx < window; ++dx) largest = std::max(largest, input.row(c, top + dy)[left + dx]);
                out.row(c, y)[x] = largest;
            }
    return out;
}

double featureDistance(const Features& a, const Features& b, std::span<const float> head) {
    const auto length = [](const Features& f, int x, int y) {
        double squares = 0;
        for (int c = 0; c < f.channels; ++c) squares += f.row(c, y)[x] * f.row(c, y)[x];
        return std::sqrt(squares) + 1e-10;
    };
    double sum = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            const double lengthA = length(a, x, y), lengthB = length(b, x, y);
            for (int c = 0; c < a.channels; ++c) {
                const double difference = a.row(c, y)[x] / lengthA - b.row(c, y)[x] / lengthB;
                sum += static_cast<double>(head[static_cast<size_t>(c)]) * difference * difference;
            }
        }
    return sum / (a.width * a.height);
}

double lpipsVgg16(const std::array<Image8, 2>& images, std::span<const ConvolutionWeights> weights) {
    Pass pass(images, weights);
    for (const int convolutions : {2, 2, 3, 3, 3}) {
        if (pass.next > 0) pass.pool(2, 2);
        for (int i = 0; i < convolutions; ++i) pass.convolve(3, 1, 1);
        pass.compare();
    }
    return pass.distance;
}

double lpipsAlexNet(const std::array<Image8, 2>& images, std::span<const ConvolutionWeights> weights) {
    Pass pass(images, weights);
    pass.convolve(11, 4, 2);
    pass.compare();
    pass.pool(3, 2);
    pass.convolve(5, 1, 2);
    pass.compare();
    pass.pool(3, 2);
    for (int i = 0; i < 3; ++i) {
        pass.convolve(3, 1, 1);
        pass.compare();
    }
    return pass.distance;
}

}  // namespace splat::reference
