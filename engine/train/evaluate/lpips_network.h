#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <glm/glm.hpp>

namespace splat {

/// Stride of the max pooling in all networks.
inline constexpr uint32_t kLpipsPoolStride = 2;

/// A convolution with bias and ReLU, after an optional max pooling.
struct LpipsLayer {
    uint32_t inputs, outputs;  ///< channels
    uint32_t window;           ///< width and height of the convolution's window
    uint32_t stride = 1;
    uint32_t padding = 0;       ///< zeros on each side of the image
    uint32_t pooledWindow = 0;  ///< width and height of the max pooling's window; 0: no pooling
    bool isCompared = false;    ///< whether the outputs are features that LPIPS compares

    uint32_t taps() const { return inputs * window * window; }
    /// Size after the pooling; 0 along a side that holds no window. Likewise below.
    glm::uvec2 pooled(glm::uvec2 size) const;
    /// Size of the outputs for pooled inputs.
    glm::uvec2 windows(glm::uvec2 size) const;
    /// Size of the outputs for inputs before the pooling.
    glm::uvec2 convolved(glm::uvec2 size) const { return windows(pooled(size)); }
};

/// The convolutional part of a network of LPIPS (Zhang et al. 2018), up to the last features that are compared.
struct LpipsNetwork {
    std::string_view name;
    std::span<const LpipsLayer> layers;

    /// Smallest side of an image, in pixels, that leaves at least one pixel after the last layer.
    uint32_t smallestSide() const;
};

/// VGG16 and AlexNet as torchvision defines them, with the layers that the LPIPS authors' lpips/pretrained_networks.py compares.
std::span<const LpipsNetwork> lpipsNetworks();

}  // namespace splat
