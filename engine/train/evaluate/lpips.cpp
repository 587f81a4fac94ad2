#include <splatwright/train/evaluate/lpips.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/train/evaluate/lpips_layers.h>

namespace splat {

namespace {

constexpr uint32_t kChannels = 3;
// The authors' scaling layer (lpips/lpips.py): inputs in -1..1, minus shift, divided by scale.
constexpr std::array kShift{-0.030, -0.088, -0.188};
constexpr std::array kScale{0.458, 0.448, 0.450};

glm::uvec2 sizeOf(const Image8& image) { return {image.width, image.height}; }

gpu::Buffer uploaded(gpu::Device& device, const std::string& name, const std::vector<float>& values) {
    gpu::Buffer buffer = device.buffer<float>(name, values.size());
    device.upload(buffer, values);
    return buffer;
}

}  // namespace

Lpips::Lpips(gpu::Device& device, const LpipsWeights& weights) : device_(device), network_(*weights.network) {
    for (size_t i = 0; i < network_.layers.size(); ++i) {
        const LpipsLayer& shape = network_.layers[i];
        const LpipsWeights::Layer& values = weights.layers.at(i);
        const std::string name = fmt::format("LPIPS layer {}: ", i + 1);
        layers_.push_back({.shape = &shape,
                           .weights = uploaded(device, name + "weights", values.weights),
                           .biases = uploaded(device, name + "biases", values.biases),
                           .head = shape.isCompared ? uploaded(device, name + "head", values.head) : gpu::Buffer()});
    }
}

void Lpips::checkSize(std::string_view view, int width, int height) const {
    const uint32_t least = network_.smallestSide();
    if (std::min(width, height) < static_cast<int>(least))
        throw InputError("{}: image has {}x{} pixels, expected at least {}x{} for LPIPS with {}", view, width, height, least, least,
                         network_.name);
}

double Lpips::distance(const Image8& render, const Image8& photograph) {
    SPLAT_CHECK(render.width == photograph.width && render.height == photograph.height && render.channels == kChannels &&
                    photograph.channels == kChannels,
                "{}x{}x{} against {}x{}x{}", render.width, render.height, render.channels, photograph.width, photograph.height,
                photograph.channels);
    glm::uvec2 size = sizeOf(render);
    reserve(size);
    uploadImage(render, features_[0]);
    uploadImage(photograph, features_[1]);
    double sum = 0;
    for (const Layer& layer : layers_) {
        runLayer(layer, size);
        if (!layer.shape->isCompared) continue;
        device_.run("LPIPS distance", [&](gpu::Commands& commands) {
            recordDistance(commands, layer.shape->outputs, size, {features_[0], features_[1], layer.head, groupSums_});
        });
        const std::vector<float> sums = device_.download<float>(groupSums_, distanceGroups(size));
        sum += std::accumulate(sums.begin(), sums.end(), 0.0) / (double{1} * size.x * size.y);  // mean over the pixels
    }
    return sum;
}

void Lpips::reserve(glm::uvec2 size) {
    size_t floats = size_t{kChannels} * size.x * size.y;  // of the largest input or output of any layer, for one image
    glm::uvec2 convolved = size;
    for (const LpipsLayer& layer : network_.layers) {
        convolved = layer.convolved(convolved);
        floats = std::max(floats, size_t{layer.outputs} * convolved.x * convolved.y);
    }
    const uint32_t groups = distanceGroups(size);
    if (features_[0].bytes() >= floats * sizeof(float) && groupSums_.bytes() >= groups * sizeof(float)) return;
    features_ = {};  // the memory is free before the larger buffers need it
    groupSums_ = {};
    for (gpu::Buffer& buffer : features_)
        buffer = device_.buffer<float>(fmt::format("LPIPS features of {}x{} pixels", size.x, size.y), floats);
    groupSums_ = device_.buffer<float>("LPIPS group sums", groups);
}

void Lpips::uploadImage(const Image8& image, const gpu::Buffer& to) {
    const size_t pixels = image.pixels.size() / kChannels;
    std::vector<float> planes(image.pixels.size());
    for (size_t c = 0; c < kChannels; ++c) {
        std::array<float, 256> values{};  // the network's input for each 8-bit value of the channel
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>((static_cast<double>(i) / 127.5 - 1 - kShift[c]) / kScale[c]);
        for (size_t i = 0; i < pixels; ++i) planes[c * pixels + i] = values[image.pixels[i * kChannels + c]];
    }
    device_.upload(to.slice(0, planes.size() * sizeof(float)), planes);
}

void Lpips::runLayer(const Layer& layer, glm::uvec2& size) {
    auto& [render, photograph, next] = features_;
    const LpipsLayer& shape = *layer.shape;
    // One submission per layer: a whole network of a large image could exceed the time that drivers grant one.
    device_.run("LPIPS layer", [&](gpu::Commands& commands) {
        if (shape.pooledWindow > 0) {
            for (gpu::Buffer* features : {&render, &photograph}) {
                recordPooling(commands, shape, size, *features, next);
                std::swap(*features, next);
            }
            size = shape.pooled(size);
        }
        for (gpu::Buffer* features : {&render, &photograph}) {
            recordConvolution(commands, shape, size, {*features, layer.weights, layer.biases, next});
            std::swap(*features, next);
        }
        size = shape.windows(size);
    });
}

}  // namespace splat
