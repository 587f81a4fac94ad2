#pragma once

#include <array>
#include <span>
#include <vector>

#include <splatwright/core/image.h>

namespace splat::reference {

/// Features of an image: one plane per channel.
struct Features {
    int channels = 0, width = 0, height = 0;
    std::vector<double> values;

    Features(int c, int w, int h)
        : channels(c), width(w), height(h), values(static_cast<size_t>(c) * static_cast<size_t>(w) * static_cast<size_t>(h)) {}
    double* row(int channel, int y);
    const double* row(int channel, int y) const { return const_cast<Features*>(this)->row(channel, y); }
};

/// A convolution's weights (output x input channels x window x window), biases, and its head, a weight per output channel, if it has one.
struct ConvolutionWeights {
    std::vector<float> weights, biases, head;
};

/// Convolution with zeros outside the image, bias and ReLU.
Features convolved(const Features& input, const ConvolutionWeights& weights, int window, int stride, int padding);

/// Largest value of each window inside the image.
Features maxPooled(const Features& input, int window, int stride);

/// Mean over pixels of the squared difference of the unit feature vectors, weighted by the head.
double featureDistance(const Features& a, const Features& b, std::span<const float> head);

/// LPIPS version 0.1 of two 8-bit RGB images (Zhang et al. 2018), with torchvision's VGG16 or AlexNet written out; one entry per convolution.
double lpipsVgg16(const std::array<Image8, 2>& images, std::span<const ConvolutionWeights> weights);
double lpipsAlexNet(const std::array<Image8, 2>& images, std::span<const ConvolutionWeights> weights);

}  // namespace splat::reference
