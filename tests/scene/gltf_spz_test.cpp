// SPZ inside glTF: what is written, which frame it is in, and what is refused.
#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/gltf_file.h>
#include <splatwright/scene/formats/gltf_spz.h>
#include <splatwright/scene/formats/spz.h>
#include "gltf_samples.h"

namespace splat {
namespace {

using namespace test;
using nlohmann::json;

const std::string kExtension = "KHR_gaussian_splatting_compression_spz_2";

class GltfSpz : public testing::Test {
protected:
    /// Refuses three splats of degree 1 that are changed.
    template <class Change>
    void expectRefused(const std::vector<std::string>& parts, Change change) const {
        GltfDocument document = gltfSpzDocument(randomSplats(3, 1), false);
        change(document);
        expectInputError([&] { readSplats(scratch.write("a.glb", document.glb())); }, parts);
    }

    const Scratch scratch;
};

TEST_F(GltfSpz, IsWrittenAsCesiumJsReadsIt) {
    const Gaussians g = randomSplats(5, 1);
    writeGlbSpz(scratch.path() / "a.glb", g);
    const GltfFile file(scratch.path() / "a.glb");
    const json& document = file.root().value();
    for (const char* list : {"extensionsUsed", "extensionsRequired"})
        EXPECT_EQ(document[list], json::array({"KHR_gaussian_splatting", kExtension}));
    const json& primitive = document["meshes"][0]["primitives"][0];
    EXPECT_EQ(primitive["mode"], 0);
    const json splatting{{"extensions", {{kExtension, {{"bufferView", 0}}}}}};
    EXPECT_EQ(primitive["extensions"], json({{"KHR_gaussian_splatting", splatting}}));
    const std::string prefix = "KHR_gaussian_splatting:";
    EXPECT_EQ(primitive["attributes"].size(), 7u);
    for (const auto& [name, type] : std::map<std::string, std::string>{{"POSITION", "VEC3"},
                                                                       {"COLOR_0", "VEC4"},
                                                                       {prefix + "SCALE", "VEC3"},
                                                                       {prefix + "ROTATION", "VEC4"},
                                                                       {prefix + "SH_DEGREE_1_COEF_2", "VEC3"}}) {
        const json& accessor = document["accessors"][primitive["attributes"][name].get<size_t>()];
        EXPECT_EQ(accessor["type"], type) << name;
        EXPECT_EQ(accessor["count"], 5) << name;
        EXPECT_FALSE(accessor.contains("bufferView")) << name;
    }
    // Who takes the numbers as they are finds glTF's: left, up, front. As SPZ they are right, up, back.
    const Gaussians found = decodeSpz("spz", file.view(0));
    for (size_t i = 0; i < 5; ++i) EXPECT_LT(glm::distance(found.means[i], g.means[i] * glm::vec3(-1, 1, -1)), 2.2e-4f);
}

TEST_F(GltfSpz, TheNameWithoutAVersionIsKnownToo) {
    GltfDocument document = gltfSpzDocument(randomSplats(3, 1), false);
    json& extensions = document.primitive()["extensions"]["KHR_gaussian_splatting"]["extensions"];
    extensions["KHR_gaussian_splatting_compression_spz"] = extensions[kExtension];
    extensions.erase(kExtension);
    document.json["extensionsRequired"] = {"KHR_gaussian_splatting_compression_spz"};
    EXPECT_EQ(readSplats(scratch.write("a.glb", document.glb())).count(), 3u);
}

TEST_F(GltfSpz, HasTheDegreeOfItsAttributes) {
    GltfDocument document = gltfSpzDocument(randomSplats(3, 2), false);
    for (int k = 0; k < 5; ++k) document.primitive()["attributes"].erase(fmt::format("KHR_gaussian_splatting:SH_DEGREE_2_COEF_{}", k));
    EXPECT_EQ(readSplats(scratch.write("a.glb", document.glb())).shDegree, 1);
}

TEST_F(GltfSpz, WhatDoesNotFitIsRefused) {
    const auto spz = [](GltfDocument& d) -> json& {
        return d.primitive()["extensions"]["KHR_gaussian_splatting"]["extensions"][kExtension];
    };
    expectRefused({"a.glb", "primitives[0]", "the SPZ has 3 splats, expected 4 as POSITION has"},
                  [](auto& d) { d.accessor("POSITION")["count"] = 4; });
    expectRefused({"a.glb", kExtension, "bufferView is missing"}, [&](auto& d) { spz(d).clear(); });
    expectRefused({"a.glb", "index 9 into bufferViews"}, [&](auto& d) { spz(d)["bufferView"] = 9; });
    expectRefused({"a.glb", "primitives[0]"}, [](auto& d) { d.json["bufferViews"][0]["byteLength"] = 40; });
    expectRefused({"a.glb", "primitives[0]", "expected at most"}, [](auto& d) { d.accessor("POSITION")["count"] = 1000000000; });
    expectRefused({"SH_DEGREE_1_COEF_1 is missing"},
                  [](auto& d) { d.primitive()["attributes"].erase("KHR_gaussian_splatting:SH_DEGREE_1_COEF_1"); });
}

}  // namespace
}  // namespace splat
