#include <splatwright/train/evaluate/lpips_weights.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <zlib.h>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/files/byte_reader.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

constexpr uint32_t kVersion = 1;
constexpr std::array<char, 8> kMagic{'S', 'P', 'L', 'A', 'T', 'L', 'P', 'S'};
constexpr size_t kPrefixBytes = 24;
constexpr size_t kLongestName = 80;  // in messages

/// Checks the prefix and the checksum of the whole file, so that readers of the rest see only what was written.
void checkPrefix(const fs::path& path, std::span<const std::byte> bytes) {
    ByteReader reader(path, bytes);
    if (reader.read<std::array<char, 8>>("the signature") != kMagic)
        throw InputError("{}: does not begin with \"SPLATLPS\", expected weights written by lpips_weights.py", path.string());
    const auto version = reader.read<uint32_t>("version");
    if (version != kVersion) throw InputError("{}: version is {}, expected {}", path.string(), version, kVersion);
    const auto expected = reader.read<uint32_t>("checksum");
    const auto length = reader.read<uint64_t>("length");
    if (length != reader.left())
        throw InputError("{}: has {} bytes after its first {}, expected {}: it is truncated or damaged", path.string(), reader.left(),
                         kPrefixBytes, length);
    const auto found = static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + kPrefixBytes), reader.left()));
    if (found != expected) throw InputError("{}: checksum is {:08x}, expected {:08x}: the file is damaged", path.string(), found, expected);
}

const LpipsNetwork& networkByName(const fs::path& path, const std::string& name) {
    const auto networks = lpipsNetworks();
    const auto found = std::ranges::find(networks, name, &LpipsNetwork::name);
    if (found != networks.end()) return *found;
    std::vector<std::string_view> names;
    for (const LpipsNetwork& network : networks) names.push_back(network.name);
    throw InputError("{}: network is '{}', expected {}", path.string(), shortened(escapedName(name), kLongestName),
                     fmt::join(names, " or "));
}

std::vector<float> readTensor(ByteReader& reader, const fs::path& path, const LpipsTensor& expected) {
    const std::string name = reader.readString("a tensor's name");
    if (name != expected.name)
        throw InputError("{}: found tensor '{}', expected '{}'", path.string(), shortened(escapedName(name), kLongestName), expected.name);
    const auto shape = reader.read<std::array<uint32_t, 4>>("a tensor's shape");
    if (shape != expected.shape)
        throw InputError("{}: shape of {} is {}, expected {}", path.string(), name, fmt::join(shape, "x"), fmt::join(expected.shape, "x"));
    std::vector<float> values = reader.readValues<float>(expected.count(), expected.name.c_str());
    const auto wrong = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
    if (wrong != values.end())
        throw InputError("{}: value {} of {} is {}, expected a finite number", path.string(), wrong - values.begin(), name, *wrong);
    return values;
}

}  // namespace

std::vector<LpipsTensor> lpipsTensors(const LpipsNetwork& network) {
    std::vector<LpipsTensor> tensors;
    for (size_t i = 0; i < network.layers.size(); ++i) {
        const LpipsLayer& layer = network.layers[i];
        const std::string name = fmt::format("conv{}", i + 1);
        tensors.push_back({name + ".weight", {layer.outputs, layer.inputs, layer.window, layer.window}});
        tensors.push_back({name + ".bias", {layer.outputs, 1, 1, 1}});
        if (layer.isCompared) tensors.push_back({name + ".head", {1, layer.outputs, 1, 1}});
    }
    return tensors;
}

LpipsWeights readLpipsWeights(const fs::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    checkPrefix(path, bytes);
    ByteReader reader(path, std::span(bytes).subspan(kPrefixBytes));
    LpipsWeights weights{.network = &networkByName(path, reader.readString("network"))};
    const std::vector<LpipsTensor> tensors = lpipsTensors(*weights.network);
    auto tensor = tensors.begin();
    for (const LpipsLayer& layer : weights.network->layers) {
        LpipsWeights::Layer& values = weights.layers.emplace_back();
        values.weights = readTensor(reader, path, *tensor++);
        values.biases = readTensor(reader, path, *tensor++);
        if (layer.isCompared) values.head = readTensor(reader, path, *tensor++);
    }
    if (reader.left() != 0) throw InputError("{}: has {} bytes after the last tensor, expected none", path.string(), reader.left());
    return weights;
}

}  // namespace splat
