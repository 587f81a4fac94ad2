#include "gltf_samples.h"

#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/gltf_writer.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
using nlohmann::json;

/// A GLB taken apart by its specification.
struct Glb {
    json document;
    std::string binary;

    explicit Glb(const std::string& content) {
        const auto word = [&](size_t at) {
            uint32_t value;
            std::memcpy(&value, &content[at], sizeof value);
            return value;
        };
        EXPECT_EQ(content.substr(0, 4), "glTF");
        EXPECT_EQ(word(4), 2u);
        EXPECT_EQ(word(8), content.size());
        const uint32_t length = word(12);
        EXPECT_EQ(content.substr(16, 4), "JSON");
        EXPECT_EQ(length % 4, 0u);
        document = json::parse(content.substr(20, length));
        EXPECT_EQ(word(20 + length) + 28 + length, content.size());
        EXPECT_EQ(content.substr(24 + length, 4), std::string("BIN\0", 4));
        binary = content.substr(28 + length);
    }
    const json& primitive() const { return document["meshes"][0]["primitives"][0]; }
    const json& accessor(const std::string& attribute) const {
        return document["accessors"][primitive()["attributes"][attribute].get<size_t>()];
    }
    std::vector<float> numbers(const std::string& attribute) const {
        const json& view = document["bufferViews"][accessor(attribute)["bufferView"].get<size_t>()];
        std::vector<float> values(view["byteLength"].get<size_t>() / sizeof(float));
        std::memcpy(values.data(), &binary[view["byteOffset"].get<size_t>()], values.size() * sizeof(float));
        return values;
    }
};

Glb written(const Gaussians& g) {
    const Scratch scratch;
    writeGlb(scratch.path() / "a.glb", g);
    return Glb(textOf(readFile(scratch.path() / "a.glb")));
}

TEST(GltfWriter, WritesWhatTheExtensionAsksFor) {
    const Glb file = written(randomSplats(5, 2));
    EXPECT_EQ(file.document["asset"]["version"], "2.0");
    EXPECT_EQ(file.document["extensionsUsed"], json::array({"KHR_gaussian_splatting"}));
    EXPECT_EQ(file.document["scenes"][file.document["scene"].get<size_t>()]["nodes"], json::array({0}));
    EXPECT_EQ(file.document["nodes"], json::parse(R"([{"mesh": 0}])"));
    EXPECT_EQ(file.document["buffers"], json::array({{{"byteLength", file.binary.size()}}}));
    EXPECT_EQ(file.primitive()["mode"], 0);
    EXPECT_EQ(file.primitive()["extensions"],
              json::parse(R"({"KHR_gaussian_splatting": {"kernel": "ellipse", "colorSpace": "srgb_rec709_display"}})"));
    EXPECT_EQ(file.primitive()["attributes"].size(), 4u + 9u);
    EXPECT_EQ(file.binary.size(), 5 * 4u * (11 + 27));
    EXPECT_FALSE(file.primitive().contains("extras"));
}

TEST(GltfWriter, WritesASplatByHand) {
    Gaussians g = randomSplats(2, 1);
    g.means = {{1, 2, 3}, {-4, 5, -6}};
    g.rotations[0] = {0.5f, 1, -1.5f, 2};
    g.logScales[0] = {0, std::log(2.0f), 100};
    g.logitOpacities[0] = -std::log(4.0f);
    g.sh = {glm::vec3(1), glm::vec3(2), glm::vec3(3), {4, 5, 6}, glm::vec3(7), glm::vec3(8), glm::vec3(9), glm::vec3(10)};
    const Glb file = written(g);
    const std::string prefix = "KHR_gaussian_splatting:";
    EXPECT_EQ(file.numbers("POSITION"), (std::vector<float>{-1, -2, 3, 4, -5, -6}));
    EXPECT_EQ(file.accessor("POSITION")["min"], json::parse("[-1, -5, -6]"));
    EXPECT_EQ(file.accessor("POSITION")["max"], json::parse("[4, -2, 3]"));
    const std::vector<float> rotation = file.numbers(prefix + "ROTATION"), scale = file.numbers(prefix + "SCALE");
    const float length = std::sqrt(7.5f);
    for (const auto& [c, q] : {std::pair(0, -1.0f), {1, 1.5f}, {2, 2.0f}, {3, 0.5f}})
        EXPECT_NEAR(rotation[static_cast<size_t>(c)], q / length, 1e-6f);
    EXPECT_EQ(scale[0], 1);
    EXPECT_NEAR(scale[1], 2, 1e-6f);
    EXPECT_TRUE(std::isfinite(scale[2]));
    EXPECT_NEAR(file.numbers(prefix + "OPACITY")[0], 0.2f, 1e-7f);
    // y changes sign, z does not, x does.
    EXPECT_EQ(file.numbers(prefix + "SH_DEGREE_0_COEF_0"), (std::vector<float>{1, 1, 1, 7, 7, 7}));
    EXPECT_EQ(file.numbers(prefix + "SH_DEGREE_1_COEF_0"), (std::vector<float>{-2, -2, -2, -8, -8, -8}));
    EXPECT_EQ(file.numbers(prefix + "SH_DEGREE_1_COEF_1"), (std::vector<float>{3, 3, 3, 9, 9, 9}));
    EXPECT_EQ(file.numbers(prefix + "SH_DEGREE_1_COEF_2"), (std::vector<float>{-4, -5, -6, -10, -10, -10}));
}

}  // namespace
}  // namespace splat
