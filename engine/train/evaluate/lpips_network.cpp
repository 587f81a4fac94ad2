#include <splatwright/train/evaluate/lpips_network.h>

#include <array>

namespace splat {

namespace {

/// Windows of a side that lie entirely inside it.
uint32_t windowsAlong(uint32_t side, uint32_t window, uint32_t stride) { return side < window ? 0 : (side - window) / stride + 1; }

constexpr LpipsLayer vggLayer(uint32_t inputs, uint32_t outputs, uint32_t pooledWindow, bool isCompared) {
    return {.inputs = inputs, .outputs = outputs, .window = 3, .padding = 1, .pooledWindow = pooledWindow, .isCompared = isCompared};
}

constexpr std::array kVgg16{
    vggLayer(3, 64, 0, false),    vggLayer(64, 64, 0, true),                                  // relu1_2
    vggLayer(64, 128, 2, false),  vggLayer(128, 128, 0, true),                                // relu2_2
    vggLayer(128, 256, 2, false), vggLayer(256, 256, 0, false), vggLayer(256, 256, 0, true),  // relu3_3
    vggLayer(256, 512, 2, false), vggLayer(512, 512, 0, false), vggLayer(512, 512, 0, true),  // relu4_3
    vggLayer(512, 512, 2, false), vggLayer(512, 512, 0, false), vggLayer(512, 512, 0, true),  // relu5_3
};

constexpr std::array kAlexNet{
    LpipsLayer{.inputs = 3, .outputs = 64, .window = 11, .stride = 4, .padding = 2, .isCompared = true},
    LpipsLayer{.inputs = 64, .outputs = 192, .window = 5, .padding = 2, .pooledWindow = 3, .isCompared = true},
    LpipsLayer{.inputs = 192, .outputs = 384, .window = 3, .padding = 1, .pooledWindow = 3, .isCompared = true},
    LpipsLayer{.inputs = 384, .outputs = 256, .window = 3, .padding = 1, .isCompared = true},
    LpipsLayer{.inputs = 256, .outputs = 256, .window = 3, .padding = 1, .isCompared = true},
};

constexpr std::array kNetworks{LpipsNetwork{"vgg16", kVgg16}, LpipsNetwork{"alexnet", kAlexNet}};

}  // namespace

glm::uvec2 LpipsLayer::pooled(glm::uvec2 size) const {
    if (pooledWindow == 0) return size;
    return {windowsAlong(size.x, pooledWindow, kLpipsPoolStride), windowsAlong(size.y, pooledWindow, kLpipsPoolStride)};
}

glm::uvec2 LpipsLayer::windows(glm::uvec2 size) const {
    if (size.x == 0 || size.y == 0) return {0, 0};
    return {windowsAlong(size.x + 2 * padding, window, stride), windowsAlong(size.y + 2 * padding, window, stride)};
}

uint32_t LpipsNetwork::smallestSide() const {
    for (uint32_t side = 1;; ++side) {
        glm::uvec2 size(side);
        for (const LpipsLayer& layer : layers) size = layer.convolved(size);
        if (size.x != 0) return side;
    }
}

std::span<const LpipsNetwork> lpipsNetworks() { return kNetworks; }

}  // namespace splat
