// What a glTF file may not say, and what it may not make the reader do.
#include "gltf_samples.h"

#include <splatwright/scene/formats/formats.h>
#include "peak_memory.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;
using nlohmann::json;

const std::string kPrefix = "KHR_gaussian_splatting:";
constexpr uint64_t kMiB = 1 << 20;

void expectContentRefused(const std::string& content, std::vector<std::string> parts) {
    const Scratch scratch;
    parts.emplace_back("a.glb");
    expectInputError([&] { readSplats(scratch.write("a.glb", content)); }, parts);
}

/// The document of two splats of degree 1, changed.
template <class Change>
GltfDocument changed(Change change) {
    GltfDocument document = gltfDocument(randomSplats(2, 1));
    change(document);
    return document;
}

template <class Change>
void expectRefused(const std::vector<std::string>& parts, Change change) {
    expectContentRefused(changed(change).glb(), parts);
}

json& extension(GltfDocument& d) { return d.primitive()["extensions"]["KHR_gaussian_splatting"]; }

TEST(GltfRefused, WhatIsMissingIsNamed) {
    expectRefused({"no splats in the 1 nodes", "KHR_gaussian_splatting"}, [](auto& d) { d.primitive()["extensions"].clear(); });
    expectRefused({"KHR_gaussian_splatting: kernel is missing"}, [](auto& d) { extension(d).erase("kernel"); });
    expectRefused({"KHR_gaussian_splatting: colorSpace is missing"}, [](auto& d) { extension(d).erase("colorSpace"); });
    expectRefused({"asset is missing"}, [](auto& d) { d.json.erase("asset"); });
    for (const char* name : {"ROTATION", "SCALE", "OPACITY", "SH_DEGREE_0_COEF_0", "SH_DEGREE_1_COEF_1"})
        expectRefused({"primitives[0]: attributes", kPrefix + name + " is missing"},
                      [&](auto& d) { d.primitive()["attributes"].erase(kPrefix + name); });
    expectRefused({"POSITION is missing"}, [](auto& d) { d.primitive()["attributes"].erase("POSITION"); });
}

TEST(GltfRefused, WhatIsNotReadIsNamed) {
    expectRefused({"colorSpace is 'acescg'", "srgb_rec709_display"}, [](auto& d) { extension(d)["colorSpace"] = "acescg"; });
    expectRefused({"primitives[0]: mode is 4, expected 0"}, [](auto& d) { d.primitive().erase("mode"); });
    expectRefused({"the version of the asset is '1.0', expected 2.0"}, [](auto& d) { d.json["asset"]["version"] = "1.0"; });
    expectRefused({"extensionsRequired has 'EXT_meshopt_compression'"}, [](auto& d) {
        d.json["extensionsRequired"] = {"KHR_mesh_quantization", "EXT_meshopt_compression"};
    });
    expectRefused({"found KHR_gaussian_splatting_compression_draco, which is not read"},
                  [](auto& d) { extension(d)["extensions"]["KHR_gaussian_splatting_compression_draco"] = json::object(); });
    const Scratch scratch;  // another kernel is drawn as an ellipse, as the extension says
    const GltfDocument star = changed([](auto& d) { extension(d)["kernel"] = "star", extension(d)["sortingMethod"] = "depth"; });
    EXPECT_EQ(readSplats(scratch.write("a.glb", star.glb())).count(), 2u);
}

TEST(GltfRefused, ValuesOfOtherTypesAreNamed) {
    expectRefused({"meshes[0]: primitives is 7, expected a list"}, [](auto& d) { d.json["meshes"][0]["primitives"] = 7; });
    expectRefused({"meshes[0]: found [], expected an object"}, [](auto& d) { d.json["meshes"][0] = json::array(); });
    expectRefused({"kernel is 7, expected a text"}, [](auto& d) { extension(d)["kernel"] = 7; });
    expectRefused({"count is -1, expected a whole number"}, [](auto& d) { d.accessor("POSITION")["count"] = -1; });
    expectRefused({"count is 1.5, expected a whole number"}, [](auto& d) { d.accessor("POSITION")["count"] = 1.5; });
    expectRefused({"normalized is 1, expected true or false"}, [](auto& d) { d.accessor("SCALE")["normalized"] = 1; });
    expectRefused({"nodes[0]: translation is", "expected numbers"}, [](auto& d) { d.json["nodes"][0]["translation"] = {"x", 0, 0}; });
    expectRefused({"nodes[0]: children is", "expected whole numbers"}, [](auto& d) { d.json["nodes"][0]["children"] = {-1}; });
    expectRefused({"extensionsRequired is", "expected texts"}, [](auto& d) { d.json["extensionsRequired"] = {1}; });
    expectRefused({"type of POSITION is 'VEC4', expected 'VEC3'"}, [](auto& d) { d.accessor("POSITION")["type"] = "VEC4"; });
    expectRefused({"componentType of POSITION is 4294972422"},
                  [](auto& d) { d.accessor("POSITION")["componentType"] = 4294967296 + 5126; });
}

TEST(GltfRefused, RangesThatTheFileDoesNotHaveAreNamed) {
    const auto view = [](GltfDocument& d) -> json& {
        return d.json["bufferViews"][d.accessor("POSITION")["bufferView"].template get<size_t>()];
    };
    constexpr uint64_t kHuge = ~uint64_t{0};
    expectRefused({"index 99 into accessors"}, [](auto& d) { d.primitive()["attributes"]["POSITION"] = 99; });
    expectRefused({"index 99 into bufferViews"}, [](auto& d) { d.accessor("POSITION")["bufferView"] = 99; });
    expectRefused({"index 99 into meshes"}, [](auto& d) { d.json["nodes"][0]["mesh"] = 99; });
    expectRefused({"bufferViews[0]: buffer is 1, expected less than 1"}, [&](auto& d) { view(d)["buffer"] = 1; });
    for (const uint64_t number : {uint64_t{1000}, kHuge}) {
        expectRefused({"bufferViews[0]: has", "of its buffer"}, [&](auto& d) { view(d)["byteOffset"] = number; });
        expectRefused({"bufferViews[0]: has", "of its buffer"}, [&](auto& d) { view(d)["byteLength"] = number; });
        expectRefused({"accessors[0]: 2 items of 12 bytes", "24 of the buffer view"},
                      [&](auto& d) { d.accessor("POSITION")["byteOffset"] = number; });
        expectRefused({"accessors[0]: 2 items", fmt::format("{} apart", number)}, [&](auto& d) { view(d)["byteStride"] = number; });
    }
    expectRefused({"primitives[0]: KHR_gaussian_splatting:SCALE has 1 items, expected 2"},
                  [](auto& d) { d.accessor("SCALE")["count"] = 1; });
    expectRefused({"accessors[0]: count is 0, expected at least 1"}, [](auto& d) { d.accessor("POSITION")["count"] = 0; });
    expectRefused({"accessors[0]: 3 items of 12 bytes", "24 of the buffer view"}, [](auto& d) {
        for (json& accessor : d.json["accessors"]) accessor["count"] = 3;
    });
    expectRefused({"buffers[0]: found", "expected 100000"}, [](auto& d) { d.json["buffers"] = json::array({{{"byteLength", 100000}}}); });
}

TEST(GltfRefused, HeadersOfGlbThatLieAreNamed) {
    const std::string good = gltfDocument(randomSplats(1, 0)).glb();
    const auto with = [&](size_t offset, uint32_t value) {
        std::string content = good;
        std::memcpy(&content[offset], &value, sizeof value);
        return content;
    };
    expectContentRefused(with(4, 1), {"the version of GLB is 1, expected 2"});
    expectContentRefused(with(8, 0xffffffff), {"expected 4294967295 (truncated)"});
    expectContentRefused(with(12, 0xffffffff), {"ends while reading the JSON chunk"});
    expectContentRefused(with(16, 7), {"the first chunk has the type 0x7, expected JSON"});
    GltfDocument document = gltfDocument(randomSplats(1, 0));
    expectContentRefused(document.glbOf("{"), {"not JSON"});
    expectContentRefused(document.glbOf("[]"), {"found [], expected an object"});
}

/// Files of a few kilobytes.
TEST(GltfRefused, CountsWithoutNumbersAndManyNodesTakeNoMemory) {
    const GltfDocument zeros = changed([](auto& d) {
        for (json& accessor : d.json["accessors"]) accessor.erase("bufferView"), accessor["count"] = 100'000'000;
    });
    EXPECT_LT(peakOf([&] { expectContentRefused(zeros.glb(), {"100000000 splats and more", "expected at most"}); }), 8 * kMiB);
    const GltfDocument many = changed([](auto& d) {
        for (json& accessor : d.json["accessors"]) accessor.erase("bufferView"), accessor["count"] = 10'000;
        for (int n = 0; n < 1000; ++n) d.addNode({{"mesh", 0}});
    });
    EXPECT_LT(peakOf([&] { expectContentRefused(many.glb(), {"10000 splats and more", "expected at most"}); }), 16 * kMiB);
}

TEST(GltfRefused, NodesNestedDeeplyAreRead) {
    const GltfDocument deep = changed([](auto& d) {
        for (int n = 0; n < 20'000; ++n) d.json["nodes"][static_cast<size_t>(n)]["children"] = {n + 1};
        d.json["nodes"].push_back(json::object());
    });
    const Scratch scratch;
    EXPECT_EQ(readSplats(scratch.write("a.glb", deep.glb())).count(), 2u);
}

}  // namespace
}  // namespace splat
