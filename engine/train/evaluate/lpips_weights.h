#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <splatwright/train/evaluate/lpips_network.h>

namespace splat {

/// Weights of an LPIPS network and of its linear heads, all finite, in PyTorch's order.
struct LpipsWeights {
    struct Layer {
        std::vector<float> weights;  ///< output channels x input channels x window rows x window columns
        std::vector<float> biases;   ///< per output channel
        std::vector<float> head;     ///< weight of each output channel in the distance; empty unless the layer is compared
    };
    const LpipsNetwork* network = nullptr;  ///< a row of lpipsNetworks()
    std::vector<Layer> layers;              ///< one per layer of the network
};

/// A tensor of the file.
struct LpipsTensor {
    std::string name;
    std::array<uint32_t, 4> shape;

    size_t count() const { return size_t{shape[0]} * shape[1] * shape[2] * shape[3]; }
};

/// The tensors of a network's file in their order: `conv1.weight`, `conv1.bias`, `conv1.head` if the layer is compared, `conv2.weight`, ...
std::vector<LpipsTensor> lpipsTensors(const LpipsNetwork& network);

/// Reads the file that lpips_weights.py beside this header writes, little-endian:
///
///     "SPLATLPS"  u32 version  u32 crc32 of all that follows  u64 bytes that follow
///     network     name in lpipsNetworks(), then a zero byte
///     tensors     as in lpipsTensors(): name, a zero byte, u32 shape[4], float32 values in row-major order
///
/// Throws InputError for another file, version, network or shape, for a truncated or damaged file, and for values that are not finite.
LpipsWeights readLpipsWeights(const std::filesystem::path& path);

}  // namespace splat
