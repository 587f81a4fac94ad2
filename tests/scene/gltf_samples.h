#pragma once

#include <initializer_list>

#include <nlohmann/json.hpp>

#include "spz_samples.h"

namespace splat::test {

inline std::string base64(std::string_view bytes) {
    constexpr std::string_view kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t word = 0;
        for (size_t b = 0; b < 3; ++b) word = word << 8u | (i + b < bytes.size() ? static_cast<uint8_t>(bytes[i + b]) : 0u);
        for (size_t c = 0; c < 4; ++c) text += i + c > bytes.size() ? '=' : kCharacters[word >> (18 - 6 * c) & 63u];
    }
    return text;
}

/// A glTF file of splats; tests change the JSON.
struct GltfDocument {
    nlohmann::json json = nlohmann::json::parse(R"({"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_gaussian_splatting"],
        "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [], "accessors": [], "bufferViews": []})");
    std::string binary{};

    /// The index of an accessor with a buffer view of its own.
    size_t add(const std::string& bytes, int componentType, const char* type, size_t count, bool normalised = false) {
        json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}});
        binary += bytes + std::string((4 - bytes.size() % 4) % 4, '\0');
        nlohmann::json accessor{{"componentType", componentType}, {"type", type}, {"count", count}};
        accessor["bufferView"] = json["bufferViews"].size() - 1;
        if (normalised) accessor["normalized"] = true;
        json["accessors"].push_back(accessor);
        return json["accessors"].size() - 1;
    }
    /// A mesh of one primitive, and a node of the scene that shows it.
    void show(const nlohmann::json& primitive) {
        json["meshes"].push_back({{"primitives", nlohmann::json::array({primitive})}});
        addNode({{"mesh", json["meshes"].size() - 1}});
    }
    void addNode(const nlohmann::json& node) {
        json["scenes"][0]["nodes"].push_back(json["nodes"].size());
        json["nodes"].push_back(node);
    }
    nlohmann::json& primitive() { return json["meshes"][0]["primitives"][0]; }
    nlohmann::json& accessor(const std::string& attribute) {
        const nlohmann::json& attributes = primitive()["attributes"];
        const std::string prefix = attribute == "POSITION" ? "" : "KHR_gaussian_splatting:";
        return json["accessors"][attributes[prefix + attribute].get<size_t>()];
    }

    std::string glb() const {
        nlohmann::json whole = json;
        if (!whole.contains("buffers")) whole["buffers"] = nlohmann::json::array({{{"byteLength", binary.size()}}});
        return glbOf(whole.dump());
    }
    std::string glbOf(std::string text) const {
        text.resize((text.size() + 3) / 4 * 4, ' ');
        Bytes head, chunk;
        const auto size = [](size_t bytes) { return static_cast<uint32_t>(bytes); };
        head.put(std::array{'g', 'l', 'T', 'F'}).put(uint32_t{2}).put(size(12 + 8 + text.size() + 8 + binary.size()));
        head.put(size(text.size())).put(std::array{'J', 'S', 'O', 'N'});
        chunk.put(size(binary.size())).put(std::array{'B', 'I', 'N', '\0'});
        return head.content() + text + chunk.content() + binary;
    }
    /// With the buffer at a URI.
    std::string gltf(const std::string& uri) const {
        nlohmann::json whole = json;
        whole["buffers"] = nlohmann::json::array({{{"byteLength", binary.size()}, {"uri", uri}}});
        return whole.dump();
    }
    std::string gltf() const { return gltf("data:application/octet-stream;base64," + base64(binary)); }
};

constexpr int kGltfFloat = 5126;

template <class Value>
std::string bytesOfAll(const std::vector<Value>& values) {
    Bytes bytes;
    for (const Value& value : values) bytes.put(value);
    return bytes.content();
}

/// A primitive with the splats in 32-bit floats, in glTF's frame: left, up, front.
inline nlohmann::json gltfPrimitive(GltfDocument& document, const Gaussians& g) {
    const glm::vec3 signs(-1, -1, 1), d(0.3f, -0.5f, 0.7f);
    const auto here = shPolynomials(d), there = shPolynomials(d * signs);
    std::vector<glm::vec3> positions, scales;
    std::vector<glm::vec4> rotations;
    std::vector<float> opacities;
    for (size_t i = 0; i < g.count(); ++i) {
        positions.push_back(g.means[i] * signs);
        scales.push_back(glm::exp(g.logScales[i]));
        const glm::vec4 q = g.rotations[i];
        rotations.emplace_back(glm::vec3(q.y, q.z, q.w) * signs * (signs.x * signs.y * signs.z), q.x);
        opacities.push_back(sigmoid(g.logitOpacities[i]));
    }
    const std::string prefix = "KHR_gaussian_splatting:";
    nlohmann::json attributes{{"POSITION", document.add(bytesOfAll(positions), kGltfFloat, "VEC3", g.count())},
                              {prefix + "ROTATION", document.add(bytesOfAll(rotations), kGltfFloat, "VEC4", g.count())},
                              {prefix + "SCALE", document.add(bytesOfAll(scales), kGltfFloat, "VEC3", g.count())},
                              {prefix + "OPACITY", document.add(bytesOfAll(opacities), kGltfFloat, "SCALAR", g.count())}};
    const size_t coefficients = shCoefficients(g.shDegree);
    for (int degree = 0; degree <= g.shDegree; ++degree)
        for (int k = 0; k <= 2 * degree; ++k) {
            const auto at = static_cast<size_t>(degree * degree + k);
            std::vector<glm::vec3> values;
            for (size_t i = 0; i < g.count(); ++i)
                values.push_back(g.sh[i * coefficients + at] * (here[at] * there[at] > 0 ? 1.0f : -1.0f));
            attributes[fmt::format("{}SH_DEGREE_{}_COEF_{}", prefix, degree, k)] =
                document.add(bytesOfAll(values), kGltfFloat, "VEC3", g.count());
        }
    return {{"attributes", attributes},
            {"mode", 0},
            {"extensions", {{"KHR_gaussian_splatting", {{"kernel", "ellipse"}, {"colorSpace", "srgb_rec709_display"}}}}}};
}

inline GltfDocument gltfDocument(const Gaussians& g) {
    GltfDocument document;
    document.show(gltfPrimitive(document, g));
    return document;
}

constexpr Steps kGltfSteps{.rotation = 1e-6f, .logScale = glm::vec3(1e-6f), .opacity = 1e-6f};

inline SplatSample glbSample(size_t count, int degree) {
    const Gaussians g = randomSplats(count, degree);
    return {fmt::format("degree {}", degree), gltfDocument(g).glb(), g, kGltfSteps};
}

/// Splats whose numbers are in an SPZ. With a kernel, as the draft has it, that is in its own frame; without, as CesiumJS has it, in glTF's.
inline GltfDocument gltfSpzDocument(const Gaussians& g, bool kernel) {
    GltfDocument document = gltfDocument(g);
    document.json["accessors"] = nlohmann::json::array();
    document.json["bufferViews"] = nlohmann::json::array();
    document.binary = spzFile(g, 3, kernel ? kRightUpBack : glm::vec3(-1, -1, 1)).content();
    document.json["bufferViews"].push_back({{"buffer", 0}, {"byteLength", document.binary.size()}});
    document.binary.resize((document.binary.size() + 3) / 4 * 4, '\0');
    nlohmann::json attributes;
    for (const auto& [name, ignored] : document.primitive()["attributes"].items()) {
        if (name.ends_with("OPACITY") || name.ends_with("SH_DEGREE_0_COEF_0")) continue;  // in COLOR_0
        attributes[name] = document.json["accessors"].size();
        document.json["accessors"].push_back({{"componentType", kGltfFloat}, {"type", "VEC3"}, {"count", g.count()}});
    }
    document.primitive()["attributes"] = attributes;
    nlohmann::json& extension = document.primitive()["extensions"]["KHR_gaussian_splatting"];
    if (!kernel) extension = nlohmann::json::object();
    extension["extensions"]["KHR_gaussian_splatting_compression_spz_2"] = {{"bufferView", 0}};
    document.json["extensionsRequired"] = {"KHR_gaussian_splatting_compression_spz_2"};
    return document;
}

inline SplatSample glbSpzSample(size_t count, int degree, bool kernel) {
    SplatSample sample = spzSample(count, 3, degree);
    sample.name += kernel ? " in SPZ's frame" : " in glTF's frame";
    sample.content = gltfSpzDocument(sample.expected, kernel).glb();
    return sample;
}

inline SplatSample gltfSample(size_t count, int degree) {
    const Gaussians g = randomSplats(count, degree);
    return {fmt::format("degree {}", degree), gltfDocument(g).gltf(), g, kGltfSteps};
}

}  // namespace splat::test
