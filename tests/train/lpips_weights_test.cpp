#include <splatwright/train/evaluate/lpips_weights.h>

#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include <splatwright/core/input_file.h>
#include "train/lpips_samples.h"

namespace splat {
namespace {

using namespace test;
namespace fs = std::filesystem;

const LpipsNetwork& alexNet() { return lpipsNetworks()[1]; }

TEST(LpipsWeightsFile, IsReadAsItWasWritten) {
    const Scratch scratch;
    for (const LpipsNetwork& network : lpipsNetworks()) {
        const LpipsWeights written = randomLpipsWeights(network, 5);
        const std::string content = lpipsContent(written);
        const LpipsWeights read = readLpipsWeights(scratch.write("weights", lpipsPrefix(content) + content));
        EXPECT_EQ(read.network, &network);
        ASSERT_EQ(read.layers.size(), written.layers.size());
        for (size_t i = 0; i < read.layers.size(); ++i) {
            EXPECT_EQ(read.layers[i].weights, written.layers[i].weights) << network.name << i;
            EXPECT_EQ(read.layers[i].biases, written.layers[i].biases) << network.name << i;
            EXPECT_EQ(read.layers[i].head, written.layers[i].head) << network.name << i;
        }
    }
}

/// The values that tests/train/write_lpips_weights.py gives a tensor of the file.
std::vector<float> numbered(size_t count, size_t tensor) {
    std::vector<float> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 251) / 1024 + static_cast<float>(tensor);
    return values;
}

TEST(LpipsWeightsFile, OfTheConverterIsRead) {
    const Scratch scratch;
    const fs::path script = fs::path(SPLAT_SHADERS).parent_path() / "tests/train/write_lpips_weights.py", file = scratch.path() / "weights";
    for (const LpipsNetwork& network : lpipsNetworks()) {
        const std::string command = fmt::format("'{}' '{}' {} '{}'", SPLAT_PYTHON, script.string(), network.name, file.string());
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        const LpipsWeights read = readLpipsWeights(file);
        EXPECT_EQ(read.network, &network);
        size_t tensor = 0;
        const auto expectNumbered = [&](const std::vector<float>& values) {
            EXPECT_EQ(values, numbered(values.size(), tensor)) << network.name << ", tensor " << tensor;
            ++tensor;
        };
        for (const LpipsWeights::Layer& layer : read.layers) {
            expectNumbered(layer.weights);
            expectNumbered(layer.biases);
            if (!layer.head.empty()) expectNumbered(layer.head);
        }
    }
}

struct BadLpipsWeights : testing::Test {
    /// Expects an error that names the file for these contents under a right prefix.
    void expectRefused(const std::string& changed, std::vector<std::string> parts) const {
        const fs::path path = scratch.write("weights", lpipsPrefix(changed) + changed);
        parts.push_back(path.string());
        expectInputError([&] { readLpipsWeights(path); }, parts);
    }
    std::string replaced(const std::string& from, const std::string& to) const {
        std::string changed = content;
        const size_t at = changed.find(from);
        return changed.replace(at, from.size(), to);
    }

    const Scratch scratch;
    const LpipsWeights weights = randomLpipsWeights(alexNet(), 6);
    const std::string content = lpipsContent(weights);
    const std::string file = lpipsPrefix(content) + content;
};

// All lengths of the part before the values and at the end, and some between.
TEST_F(BadLpipsWeights, EveryTruncatedFileIsAnError) {
    const fs::path path = scratch.write("weights", file);
    for (size_t length = file.size() - 1; length > 0;) {
        fs::resize_file(path, length);
        expectInputError([&] { readLpipsWeights(path); }, {path.string()});
        const bool isDense = length <= 80 || length + 20 > file.size();
        length -= isDense ? 1 : std::min<size_t>(length - 80, 99'991);
    }
    expectInputError([&] { readLpipsWeights(scratch.write("empty", "")); }, {"empty"});
}

TEST_F(BadLpipsWeights, EveryDamagedByteIsAnError) {
    for (size_t i = 0; i < file.size(); i += i < 60 ? 1 : 499'999) {
        std::string damaged = file;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        const fs::path path = scratch.write("weights", damaged);
        EXPECT_THROW(readLpipsWeights(path), InputError) << i;
    }
}

TEST_F(BadLpipsWeights, OtherFilesAndVersionsAreRefused) {
    expectInputError([&] { readLpipsWeights(scratch.path() / "none"); }, {"none"});
    expectInputError([&] { readLpipsWeights(scratch.write("a.pth", "PK\3\4 and more than that, as state dicts are")); },
                     {"a.pth", "SPLATLPS", "lpips_weights.py"});
    std::string later = file;
    later[8] = 2;
    expectInputError([&] { readLpipsWeights(scratch.write("later", later)); }, {"later", "version is 2", "expected 1"});
}

TEST_F(BadLpipsWeights, OtherNetworksAreRefused) {
    expectRefused(replaced("alexnet", "squeezenet\n"), {"'squeezenet\\n'", "vgg16 or alexnet"});
    expectRefused(replaced("alexnet", "vgg16"), {"conv1.weight", "64x3x11x11", "64x3x3x3"});
}

TEST_F(BadLpipsWeights, OtherTensorsAreRefused) {
    expectRefused(replaced("conv2.bias", "conv2.base"), {"'conv2.base'", "'conv2.bias'"});
    const std::string name = std::string("conv3.head") + '\0';
    expectRefused(replaced(name + Bytes().put(1).put(384).content(), name + Bytes().put(384).put(1).content()),
                  {"conv3.head", "384x1x1x1", "1x384x1x1"});
    expectRefused(content.substr(0, content.size() - 4), {"conv5.head", "1020 bytes", "1024"});
    expectRefused(content + "x", {"1 bytes after"});
}

TEST_F(BadLpipsWeights, ValuesThatAreNotFiniteAreRefused) {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        std::string changed = content;
        const std::string bytes = Bytes().put(value).content();
        changed.replace(changed.find("conv4.bias") + 11 + 16 + 4 * 7, bytes.size(), bytes);
        expectRefused(changed, {"value 7 of conv4.bias", fmt::format("{}", value), "finite"});
    }
}

}  // namespace
}  // namespace splat
