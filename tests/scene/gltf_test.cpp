#include "gltf_samples.h"

#include <splatwright/scene/files/base64.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/gaussians/model_transform.h>
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
using nlohmann::json;

const std::string kPrefix = "KHR_gaussian_splatting:";

Gaussians readContent(const std::string& content) {
    const Scratch scratch;
    return readSplats(scratch.write("a.glb", content));
}

Gaussians read(const GltfDocument& document) { return readContent(document.glb()); }

/// The accessor of an attribute has another encoding.
void encode(GltfDocument& document, const std::string& attribute, const std::string& bytes, int type, bool normalised) {
    const json old = document.accessor(attribute);
    const size_t index = document.add(bytes, type, old["type"].get<std::string>().c_str(), old["count"], normalised);
    document.primitive()["attributes"][(attribute == "POSITION" ? "" : kPrefix) + attribute] = index;
}

template <class T>
std::string bytesOf(std::initializer_list<T> values) {
    return bytesOfAll(std::vector<T>(values));
}

constexpr int kI8 = 5120, kU8 = 5121, kI16 = 5122, kU16 = 5123, kU32 = 5125;

TEST(Gltf, EveryEncodingOfAnAttributeIsRead) {
    const GltfDocument good = gltfDocument(randomSplats(1, 0));
    const auto with = [&](const std::string& attribute, const std::string& bytes, int type, bool normalised) {
        GltfDocument document = good;
        encode(document, attribute, bytes, type, normalised);
        return read(document);
    };
    const glm::vec4 turned(0, -1, 0, 0);  // of x = -1 in the file's frame, whose x points the other way; so is y = 0 and z = 0
    EXPECT_EQ(with("ROTATION", bytesOf<int8_t>({127, 0, 0, 0}), kI8, true).rotations[0], turned);
    EXPECT_EQ(with("ROTATION", bytesOf<int16_t>({-32767, 0, 0, 0}), kI16, true).rotations[0], -turned);
    EXPECT_EQ(with("SCALE", bytesOf<uint8_t>({1, 2, 3}), kU8, false).logScales[0], glm::log(glm::vec3(1, 2, 3)));
    EXPECT_EQ(with("SCALE", bytesOf<uint16_t>({1, 2, 300}), kU16, false).logScales[0], glm::log(glm::vec3(1, 2, 300)));
    EXPECT_EQ(with("SCALE", bytesOf<uint8_t>({255, 51, 51}), kU8, true).logScales[0], glm::log(glm::vec3(1, 0.2f, 0.2f)));
    EXPECT_EQ(with("SCALE", bytesOf<uint16_t>({65535, 13107, 13107}), kU16, true).logScales[0], glm::log(glm::vec3(1, 0.2f, 0.2f)));
    EXPECT_NEAR(with("OPACITY", bytesOf<uint8_t>({51}), kU8, true).logitOpacities[0], -std::log(4.0), 1e-6);
    EXPECT_NEAR(with("OPACITY", bytesOf<uint16_t>({13107}), kU16, true).logitOpacities[0], -std::log(4.0), 1e-6);
    EXPECT_EQ(with("POSITION", bytesOf<int16_t>({-300, 2, 7}), kI16, false).means[0], glm::vec3(300, -2, 7));
    EXPECT_EQ(with("POSITION", bytesOf<int8_t>({-128, 127, 0}), kI8, true).means[0], glm::vec3(1, -1, 0));
    for (const auto& [attribute, type, normalised] : {std::tuple{"ROTATION", kI8, false},
                                                      {"ROTATION", kU8, true},
                                                      {"SCALE", kI8, true},
                                                      {"OPACITY", kU8, false},
                                                      {"SH_DEGREE_0_COEF_0", kU8, true},
                                                      {"SCALE", kU32, false}}) {
        expectInputError([&] { with(attribute, std::string(16, '\1'), type, normalised); },
                         {"a.glb: accessors[", attribute, fmt::format("is {}", type), normalised ? ", normalised, expected" : "expected"});
    }
}

TEST(Gltf, OpacitiesAndScalesAtTheirEndsAreFiniteAndThoseBeyondAreNamed) {
    const GltfDocument good = gltfDocument(randomSplats(2, 0));
    const auto with = [&](const std::string& attribute, const std::string& bytes, int type) {
        GltfDocument document = good;
        encode(document, attribute, bytes, type, type != kGltfFloat);
        return read(document);
    };
    for (const std::string& bytes : {bytesOf<float>({0, 1}), bytesOf<uint16_t>({0, 65535}), bytesOf<uint8_t>({0, 255})}) {
        const int type = bytes.size() == 8 ? kGltfFloat : bytes.size() == 4 ? kU16 : kU8;
        const Gaussians g = with("OPACITY", bytes, type);
        EXPECT_NEAR(sigmoid(g.logitOpacities[0]), 0, 0.001f);
        EXPECT_NEAR(sigmoid(g.logitOpacities[1]), 1, 0.001f);
    }
    expectInputError(
        [&] {
            with("OPACITY", bytesOf<float>({0.5f, 1.5f}), kGltfFloat);
        },
        {"a.glb: meshes[0]: primitives[0]", "OPACITY of splat 1 is 1.5, expected 0 to 1"});
    EXPECT_LT(with("SCALE", bytesOf<float>({1, 1, 1, 0, 1, 1}), kGltfFloat).logScales[1].x, -80);
    expectInputError([&] { with("SCALE", bytesOf<float>({1, 1, 1, 1, 1, -0.5f}), kGltfFloat); }, {"SCALE of splat 1 is -0.5, expected 0"});
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    expectInputError([&] { with("SCALE", bytesOf<float>({1, 1, 1, 1, kNan, 1}), kGltfFloat); }, {"scale of splat 1"});
    expectInputError([&] { with("ROTATION", bytesOf<float>({0, 0, 0, 1, kNan, 0, 0, 1}), kGltfFloat); }, {"rotation of splat 1"});
}

/// The model as a node with this transform shows it: left, up, front are the scene's axes.
Gaussians shown(Gaussians g, const ModelTransform& transform) {
    flipAxes(g, {-1, -1, 1});
    g = transformed(std::move(g), transform);
    flipAxes(g, {-1, -1, 1});
    return g;
}

TEST(Gltf, NodesPlaceTheirMeshesWithTheirParents) {
    const Gaussians g = randomSplats(3, 3);
    GltfDocument document = gltfDocument(g);
    const double half = std::sqrt(0.5);
    document.json["nodes"] = json::parse(R"([{"children": [1, 2]}, {"mesh": 0}, {"mesh": 0}, {"mesh": 0}])");
    document.json["nodes"][0]["translation"] = {1, 2, 3};
    document.json["nodes"][0]["scale"] = {2, 2, 2};
    document.json["nodes"][1]["rotation"] = {0, half, 0, half};                               // a quarter turn about y: z to x, x to -z
    document.json["nodes"][2]["matrix"] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1};  // about z: x to y, y to -x
    document.json["scenes"][0]["nodes"] = {0};                                                // the last node is not in the scene
    const Gaussians found = read(document);
    ASSERT_EQ(found.count(), 6u);
    const ModelTransform parent{.translation = {1, 2, 3}, .scale = 2};
    const ModelTransform first = composed(parent, {.rotation = {half, 0, half, 0}});
    const ModelTransform second = composed(parent, {.translation = {5, 6, 7}, .rotation = {half, 0, 0, half}});
    for (const auto& [start, transform] : {std::pair(size_t{0}, first), {size_t{3}, second}}) {
        Gaussians part;
        part.resize(3, 3);
        for (size_t i = 0; i < 3; ++i) {
            part.means[i] = found.means[start + i], part.rotations[i] = glm::normalize(found.rotations[start + i]);
            part.logScales[i] = found.logScales[start + i], part.logitOpacities[i] = found.logitOpacities[start + i];
            std::copy_n(&found.sh[16 * (start + i)], 16, &part.sh[16 * i]);
        }
        expectNear(part, shown(g, transform), kTurnedSteps);
    }
}

TEST(Gltf, AFileWithoutScenesShowsTheNodesWithoutParents) {
    GltfDocument document = gltfDocument(randomSplats(1, 0));
    document.json.erase("scene"), document.json.erase("scenes");
    document.json["nodes"] = json::parse(R"([{"mesh": 0}, {"children": [0]}, {"name": "camera"}])");
    EXPECT_EQ(read(document).count(), 1u);
    document.json["nodes"] = json::parse(R"([{"mesh": 0, "children": [1]}, {"children": [0]}])");
    expectInputError([&] { read(document); }, {"a.glb", "no splats in the 0 nodes"});
}

TEST(Gltf, NodesThatAreNoTreesAreNamed) {
    GltfDocument document = gltfDocument(randomSplats(1, 0));
    document.json["nodes"] = json::parse(R"([{"mesh": 0, "children": [1]}, {"children": [0]}])");
    expectInputError([&] { read(document); }, {"a.glb: nodes[0]: is a child twice"});
    document.json["nodes"] = json::parse(R"([{"mesh": 0, "children": [7]}])");
    expectInputError([&] { read(document); }, {"the index 7 into nodes, expected less than 1"});
    document.json["nodes"] = json::parse(R"([{"mesh": 0, "scale": [1, -1, 1]}])");
    expectInputError([&] { read(document); }, {"a.glb: nodes[0]", "mirrors"});
    document.json["nodes"] = json::parse(R"([{"mesh": 0, "scale": [1, 1]}])");
    expectInputError([&] { read(document); }, {"nodes[0]: scale has 2 numbers, expected 3"});
}

TEST(Gltf, PrimitivesOfSeveralDegreesAreOneModel) {
    const Gaussians two = randomSplats(2, 2), none = randomSplats(3, 0);
    GltfDocument document = gltfDocument(none);
    document.json["meshes"][0]["primitives"].push_back(json::parse(R"({"attributes": {"POSITION": 0}})"));  // triangles
    document.json["meshes"][0]["primitives"].push_back(gltfPrimitive(document, two));
    const Gaussians found = read(document);
    ASSERT_EQ(found.count(), 5u);
    ASSERT_EQ(found.shDegree, 2);
    EXPECT_EQ(found.means[2], none.means[2]);
    EXPECT_EQ(found.means[4], two.means[1]);
    EXPECT_EQ(found.sh[9 * 2 + 8], glm::vec3(0));
    EXPECT_EQ(found.sh[9 * 4 + 8], two.sh[9 + 8]);
}

TEST(Gltf, LinearColoursAreReadAsSrgb) {
    Gaussians g = randomSplats(1, 1);
    g.sh[0] = (glm::vec3(0.5f, 0.002f, 1) - 0.5f) / 0.28209479f;
    GltfDocument document = gltfDocument(g);
    document.primitive()["extensions"]["KHR_gaussian_splatting"]["colorSpace"] = "lin_rec709_display";
    const Gaussians found = read(document);
    EXPECT_LT(glm::distance(0.5f + 0.28209479f * found.sh[0], glm::vec3(0.735357f, 0.02584f, 1)), 1e-4f);
    // The slope of the curve: 0.5^(1 / 2.4 - 1) 1.055 / 2.4, and 12.92 where it is straight.
    EXPECT_LT(glm::distance(found.sh[2], g.sh[2] * glm::vec3(0.65862f, 12.92f, 0.439583f)), 0.02f);
}

TEST(Gltf, TheBufferIsInTheTextOrInAFileBesideIt) {
    const Gaussians g = randomSplats(2, 1);
    const GltfDocument document = gltfDocument(g);
    const Scratch scratch;
    scratch.write("parts/my data.bin", document.binary);
    expectNear(readSplats(scratch.write("a.gltf", document.gltf("parts/my%20data.bin"))), g, kGltfSteps);
    for (const char* uri :
         {"../a.bin", "parts/../../a.bin", "/etc/passwd", "%2e%2e/a.bin", "file:///a.bin", "http://a/b.bin", "", "a%00.bin"}) {
        expectInputError([&] { readSplats(scratch.write("a.gltf", document.gltf(uri))); },
                         {"a.gltf: buffers[0]: uri is", "below the folder"});
    }
    expectInputError([&] { readSplats(scratch.write("a.gltf", document.gltf("none.bin"))); }, {"none.bin", "cannot be read"});
    scratch.write("short.bin", document.binary.substr(1));
    expectInputError([&] { readSplats(scratch.write("a.gltf", document.gltf("short.bin"))); }, {"buffers[0]: found", "bytes, expected"});
    for (const char* uri : {"data:text/plain,abc", "data:;base64,a~b", "data:;base64,abcde"}) {
        expectInputError([&] { readSplats(scratch.write("a.gltf", document.gltf(uri))); }, {"uri is 'data:", "expected base64"});
    }
}

TEST(Gltf, Base64IsThatOfItsStandard) {
    for (const auto& [text, bytes] :
         {std::pair("", ""), {"Zg==", "f"}, {"Zm8=", "fo"}, {"Zm9v", "foo"}, {"Zm9vYg", "foob"}, {"+/+/", "\xfb\xff\xbf"}}) {
        const auto found = bytesOfBase64(text);
        ASSERT_TRUE(found.has_value()) << text;
        EXPECT_EQ(textOf(*found), bytes);
    }
    for (const char* text : {"Z", "Zg===", "Z g=", "Zm9v\n", "=Zg="}) EXPECT_FALSE(bytesOfBase64(text).has_value()) << text;
}

TEST(Gltf, SparseAccessorsReplaceItems) {
    const Gaussians g = randomSplats(3, 0);
    GltfDocument document = gltfDocument(g);
    const size_t places = document.add(bytesOf<uint16_t>({0, 2}), kU16, "SCALAR", 2);
    const size_t values = document.add(bytesOf<glm::vec3>({{1, 2, 3}, {4, 5, 6}}), kGltfFloat, "VEC3", 2);
    json& sparse = document.accessor("POSITION")["sparse"];
    sparse = {{"count", 2}, {"indices", {{"bufferView", places}, {"componentType", kU16}}}, {"values", {{"bufferView", values}}}};
    Gaussians found = read(document);
    EXPECT_EQ(found.means, (std::vector<glm::vec3>{{-1, -2, 3}, g.means[1], {-4, -5, 6}}));
    document.accessor("POSITION").erase("bufferView");
    EXPECT_EQ(read(document).means, (std::vector<glm::vec3>{{-1, -2, 3}, {0, 0, 0}, {-4, -5, 6}}));
    document.accessor("POSITION")["sparse"]["count"] = 4;
    expectInputError([&] { read(document); }, {"sparse: count is 4, expected 1 to 3"});
    document.accessor("POSITION")["sparse"]["count"] = 2;
    document.accessor("POSITION")["sparse"]["indices"]["componentType"] = kU8;  // 0, 0, 2, 0
    EXPECT_NO_THROW(read(document));
    document.accessor("POSITION")["sparse"]["indices"]["componentType"] = kI16;
    expectInputError([&] { read(document); }, {"indices: componentType is 5122"});
    document.accessor("POSITION")["sparse"]["indices"] = {{"bufferView", values}, {"componentType", kU16}};
    expectInputError([&] { read(document); }, {"indices: found the index", "expected less than 3"});
}

TEST(Gltf, StridesAndOffsetsAreFollowed) {
    const Gaussians g = randomSplats(3, 0);
    GltfDocument document = gltfDocument(g);
    Bytes bytes;
    for (size_t i = 0; i < 3; ++i) bytes.put(uint64_t{99}).put(g.means[i]).put(uint32_t{99});
    encode(document, "POSITION", bytes.content(), kGltfFloat, false);
    document.accessor("POSITION")["byteOffset"] = 8;
    json& view = document.json["bufferViews"][document.accessor("POSITION")["bufferView"].get<size_t>()];
    view["byteStride"] = 24;
    EXPECT_EQ(read(document).means[2], g.means[2] * glm::vec3(-1, -1, 1));
    view["byteStride"] = 8;
    expectInputError([&] { read(document); }, {"byteStride is 8, expected at least 12"});
}

}  // namespace
}  // namespace splat
