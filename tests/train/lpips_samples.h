#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <zlib.h>

#include <splatwright/core/rng.h>
#include <splatwright/train/evaluate/lpips_weights.h>
#include "../scene/scratch.h"

namespace splat::test {

inline std::vector<float> uniformNumbers(Rng& rng, size_t count, double low, double high) {
    std::vector<float> numbers(count);
    for (float& number : numbers) number = static_cast<float>(rng.uniform(low, high));
    return numbers;
}

/// Random weights that keep features near 1 in all layers (He et al. 2015), and positive heads, as the published ones are.
inline LpipsWeights randomLpipsWeights(const LpipsNetwork& network, uint64_t seed) {
    Rng rng(seed);
    LpipsWeights weights{.network = &network};
    for (const LpipsLayer& layer : network.layers) {
        const double range = std::sqrt(6.0 / layer.taps());
        LpipsWeights::Layer& values = weights.layers.emplace_back();
        values.weights = uniformNumbers(rng, size_t{layer.outputs} * layer.taps(), -range, range);
        values.biases = uniformNumbers(rng, layer.outputs, -0.1, 0.1);
        if (layer.isCompared) values.head = uniformNumbers(rng, layer.outputs, 0, 1);
    }
    return weights;
}

/// The prefix of a file of weights, right for these contents.
inline std::string lpipsPrefix(const std::string& content) {
    const auto crc = static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
    return "SPLATLPS" + Bytes().put(uint32_t{1}).put(crc).put(uint64_t{content.size()}).content();
}

/// What follows the prefix.
inline std::string lpipsContent(const LpipsWeights& weights) {
    std::string content = std::string(weights.network->name) + '\0';
    const std::vector<LpipsTensor> tensors = lpipsTensors(*weights.network);
    auto tensor = tensors.begin();
    const auto put = [&](const std::vector<float>& values) {
        content += Bytes().putText(tensor->name).put(tensor->shape).content();
        content.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
        ++tensor;
    };
    for (const LpipsWeights::Layer& layer : weights.layers) {
        put(layer.weights);
        put(layer.biases);
        if (!layer.head.empty()) put(layer.head);
    }
    return content;
}

}  // namespace splat::test
