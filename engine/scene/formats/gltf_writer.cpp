#include <splatwright/scene/formats/gltf_writer.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/memory.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/gltf_accessor.h>
#include <splatwright/scene/formats/gltf_splats.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {
namespace {

using Json = nlohmann::ordered_json;

constexpr float kLargestLogScale = 88.7f;  // above it, exp() is infinite

/// An attribute, whose numbers lie one splat after another.
struct Plane {
    std::string attribute;
    size_t components;
    std::function<void(size_t splat, float* out)> put;
};

std::vector<Plane> planesOf(const Gaussians& gaussians, const AxisFlip& flip) {
    const auto put3 = [](float* out, glm::vec3 v) { std::copy_n(&v.x, 3, out); };
    const std::string prefix = std::string(kGltfSplatting) + ":";
    std::vector<Plane> planes;
    planes.push_back({"POSITION", 3, [&, put3](size_t i, float* out) { put3(out, gaussians.means[i] * flip.position); }});
    planes.push_back({prefix + "ROTATION", 4, [&](size_t i, float* out) {
                          const glm::vec4 q = unitRotation(gaussians.rotations[i]) * flip.rotation;
                          const glm::vec4 xyzw(q.y, q.z, q.w, q.x);
                          std::copy_n(&xyzw.x, 4, out);
                      }});
    planes.push_back({prefix + "SCALE", 3,
                      [&, put3](size_t i, float* out) { put3(out, glm::exp(glm::min(gaussians.logScales[i], kLargestLogScale))); }});
    planes.push_back({prefix + "OPACITY", 1, [&](size_t i, float* out) { *out = opacityOfLogit(gaussians.logitOpacities[i]); }});
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    for (int degree = 0; degree <= gaussians.shDegree; ++degree) {
        const size_t first = degree == 0 ? 0 : shCoefficients(degree - 1);
        for (size_t k = first; k < shCoefficients(degree); ++k)
            planes.push_back(
                {fmt::format("{}SH_DEGREE_{}_COEF_{}", prefix, degree, k - first), 3,
                 [&, put3, k, coefficients](size_t i, float* out) { put3(out, gaussians.sh[i * coefficients + k] * flip.sh[k]); }});
    }
    return planes;
}

Json documentOf(const Gaussians& gaussians, const std::vector<Plane>& planes, size_t bytes) {
    constexpr int kArrayBuffer = 34962;
    const size_t count = gaussians.count();
    Json attributes, accessors, views;
    size_t offset = 0;
    for (const Plane& plane : planes) {
        const size_t length = count * plane.components * sizeof(float);
        attributes[plane.attribute] = accessors.size();
        accessors.push_back({{"bufferView", views.size()},
                             {"componentType", GltfType::f32},
                             {"count", count},
                             {"type", plane.components == 1 ? "SCALAR" : fmt::format("VEC{}", plane.components)}});
        views.push_back({{"buffer", 0}, {"byteOffset", offset}, {"byteLength", length}, {"target", kArrayBuffer}});
        offset += length;
    }
    addGltfBounds(accessors[0], gaussians);
    Json primitive{{"attributes", attributes},
                   {"mode", 0},
                   {"extensions", {{kGltfSplatting, {{"kernel", "ellipse"}, {"colorSpace", "srgb_rec709_display"}}}}}};
    if (gaussians.antialiased) primitive["extras"][kGltfAntialiased] = true;
    return gltfDocument(primitive, accessors, views, bytes, {kGltfSplatting});
}

/// The planes, one after another.
std::vector<float> numbersOf(const std::vector<Plane>& planes, size_t count, size_t bytes) {
    constexpr size_t kSlice = 512;  // splats per thread and step; their coefficients stay in the cache from plane to plane
    std::vector<float> numbers;
    resizeFast(numbers, bytes / sizeof(float));
    parallelSlices(count, kSlice, [&](size_t begin, size_t end) {
        float* first = numbers.data();
        for (const Plane& plane : planes) {
            for (size_t i = begin; i < end; ++i) plane.put(i, first + i * plane.components);
            first += count * plane.components;
        }
    });
    return numbers;
}

void writeWords(AtomicFile& file, std::initializer_list<size_t> values) {
    std::vector<uint32_t> words;
    for (const size_t value : values) words.push_back(static_cast<uint32_t>(value));
    file.write(std::as_bytes(std::span(words)));
}

}  // namespace

Json gltfDocument(Json primitive, Json accessors, Json views, size_t bytes, Json extensions) {
    return {{"asset", {{"version", "2.0"}, {"generator", "Splatwright"}}},
            {"extensionsUsed", std::move(extensions)},
            {"scene", 0},
            {"scenes", {{{"nodes", {0}}}}},
            {"nodes", {{{"mesh", 0}}}},
            {"meshes", {{{"primitives", {std::move(primitive)}}}}},
            {"accessors", std::move(accessors)},
            {"bufferViews", std::move(views)},
            {"buffers", {{{"byteLength", bytes}}}}};
}

void addGltfBounds(Json& accessor, const Gaussians& gaussians) {
    glm::vec3 low(std::numeric_limits<float>::max()), high(-std::numeric_limits<float>::max());
    for (const glm::vec3& mean : gaussians.means) {
        low = glm::min(low, mean * kGltfSigns);
        high = glm::max(high, mean * kGltfSigns);
    }
    accessor["min"] = {low.x, low.y, low.z};
    accessor["max"] = {high.x, high.y, high.z};
}

void writeGlbFile(const std::filesystem::path& path, const Json& document, std::span<const std::byte> buffer) {
    constexpr size_t kAlignment = 4;
    std::string json = jsonText(document);
    json.resize((json.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
    const std::vector<std::byte> padding((kAlignment - buffer.size() % kAlignment) % kAlignment);
    const size_t chunk = buffer.size() + padding.size(), whole = 12 + 8 + json.size() + 8 + chunk;
    if (whole > std::numeric_limits<uint32_t>::max())
        throw InputError("{}: the file would have {} bytes, expected less than 4 GiB", path.string(), whole);
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(kGlbSignature)));
    writeWords(file, {2, whole, json.size(), kGlbJsonChunk});
    file.write(std::as_bytes(std::span(json)));
    writeWords(file, {chunk, kGlbBinaryChunk});
    file.write(buffer);
    file.write(padding);
    file.commit();
}

void writeGlb(const std::filesystem::path& path, const Gaussians& gaussians) {
    requireWritable(path, gaussians);
    checkWritable(path);
    const AxisFlip flip(kGltfSigns);
    const std::vector<Plane> planes = planesOf(gaussians, flip);
    size_t bytes = 0;
    for (const Plane& plane : planes) bytes += gaussians.count() * plane.components * sizeof(float);
    const std::vector<float> numbers = numbersOf(planes, gaussians.count(), bytes);
    writeGlbFile(path, documentOf(gaussians, planes, bytes), std::as_bytes(std::span(numbers)));
}

}  // namespace splat
