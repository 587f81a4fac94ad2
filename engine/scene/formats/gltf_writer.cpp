#include <splatwright/scene/formats/gltf_writer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/gltf_accessor.h>
#include <splatwright/scene/formats/gltf_splats.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {
namespace {

using Json = nlohmann::ordered_json;

/// An attribute, whose numbers lie one splat after another.
struct Plane {
    std::string attribute;
    size_t components;
    std::function<void(const Gaussians& splats, size_t first, size_t end, float* out)> put;
};

/// `valueOf(splats, i)`: a vector of so many components.
template <int kComponents, class ValueOf>
Plane plane(std::string attribute, ValueOf valueOf) {
    return {std::move(attribute), kComponents, [valueOf](const Gaussians& splats, size_t first, size_t end, float* out) {
                for (size_t i = first; i < end; ++i, out += kComponents) {
                    const glm::vec<kComponents, float> value = valueOf(splats, i);
                    std::memcpy(out, &value, sizeof value);
                }
            }};
}

std::vector<Plane> planesOf(int shDegree) {
    const AxisFlip flip(kGltfSigns);
    const std::string prefix = std::string(kGltfSplatting) + ":";
    std::vector<Plane> planes;
    planes.push_back(plane<3>("POSITION", [flip](const Gaussians& g, size_t i) { return g.means[i] * flip.position; }));
    planes.push_back(plane<4>(prefix + "ROTATION", [flip](const Gaussians& g, size_t i) {
        const glm::vec4 q = unitRotation(g.rotations[i]) * flip.rotation;
        return glm::vec4(q.y, q.z, q.w, q.x);
    }));
    planes.push_back(plane<3>(prefix + "SCALE", [](const Gaussians& g, size_t i) { return scaleOfLog(g.logScales[i]); }));
    planes.push_back(
        plane<1>(prefix + "OPACITY", [](const Gaussians& g, size_t i) { return glm::vec1(opacityOfLogit(g.logitOpacities[i])); }));
    const size_t coefficients = shCoefficients(shDegree);
    for (int degree = 0; degree <= shDegree; ++degree) {
        const size_t first = degree == 0 ? 0 : shCoefficients(degree - 1);
        for (size_t k = first; k < shCoefficients(degree); ++k)
            planes.push_back(
                plane<3>(fmt::format("{}SH_DEGREE_{}_COEF_{}", prefix, degree, k - first),
                         [sign = flip.sh[k], k, coefficients](const Gaussians& g, size_t i) { return g.sh[i * coefficients + k] * sign; }));
    }
    return planes;
}

Json documentOf(const SplatBlocks& blocks, const std::vector<Plane>& planes, size_t bytes) {
    constexpr int kArrayBuffer = 34962;
    const size_t count = blocks.count();
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
    addGltfBounds(accessors[0], blocks);
    Json primitive{{"attributes", attributes},
                   {"mode", 0},
                   {"extensions", {{kGltfSplatting, {{"kernel", "ellipse"}, {"colorSpace", "srgb_rec709_display"}}}}}};
    if (blocks.form().antialiased) primitive["extras"][kGltfAntialiased] = true;
    return gltfDocument(primitive, accessors, views, bytes, {kGltfSplatting});
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

void addGltfBounds(Json& accessor, const SplatBlocks& blocks) {
    glm::vec3 low(std::numeric_limits<float>::max()), high(-std::numeric_limits<float>::max());
    std::mutex mutex;
    parallelFor(blocks.blocks(), [&](size_t block) {
        blocks.visit(block, [&](const Gaussians& splats, size_t first, size_t end) {
            const std::scoped_lock lock(mutex);
            for (const glm::vec3& mean : std::span(splats.means).subspan(first, end - first)) {
                low = glm::min(low, mean * kGltfSigns);
                high = glm::max(high, mean * kGltfSigns);
            }
        });
    });
    accessor["min"] = {low.x, low.y, low.z};
    accessor["max"] = {high.x, high.y, high.z};
}

namespace {

/// `writeBuffer` writes so many bytes.
void writeGlbFile(const std::filesystem::path& path, const Json& document, size_t bytes,
                  const std::function<void(AtomicFile&)>& writeBuffer) {
    constexpr size_t kAlignment = 4;
    std::string json = jsonText(document);
    json.resize((json.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
    const std::vector<std::byte> padding((kAlignment - bytes % kAlignment) % kAlignment);
    const size_t chunk = bytes + padding.size(), whole = 12 + 8 + json.size() + 8 + chunk;
    if (whole > std::numeric_limits<uint32_t>::max())
        throw InputError("{}: the file would have {} bytes, expected less than 4 GiB", path.string(), whole);
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(kGlbSignature)));
    writeWords(file, {2, whole, json.size(), kGlbJsonChunk});
    file.write(std::as_bytes(std::span(json)));
    writeWords(file, {chunk, kGlbBinaryChunk});
    writeBuffer(file);
    file.write(padding);
    file.commit();
}

}  // namespace

void writeGlbFile(const std::filesystem::path& path, const Json& document, std::span<const std::byte> buffer) {
    writeGlbFile(path, document, buffer.size(), [&](AtomicFile& file) { file.write(buffer); });
}

void writeGlbBlocks(const std::filesystem::path& path, const SplatBlocks& blocks) {
    requireSplats(path, blocks.count());
    checkWritable(path);
    const std::vector<Plane> planes = planesOf(blocks.form().shDegree);
    size_t bytes = 0;
    for (const Plane& plane : planes) bytes += blocks.count() * plane.components * sizeof(float);
    const auto writeBlock = [&](size_t block, const AtomicFile::Put& put) {
        blocks.visit(block, [&](const Gaussians& splats, size_t first, size_t end) {
            requireFinite(path, splats, first, end, blocks.start(block));
            std::vector<float> numbers;
            for (size_t before = 0; const Plane& plane : planes) {
                numbers.resize((end - first) * plane.components);
                plane.put(splats, first, end, numbers.data());
                put((before + blocks.start(block) * plane.components) * sizeof(float), std::as_bytes(std::span(numbers)));
                before += blocks.count() * plane.components;
            }
        });
    };
    writeGlbFile(path, documentOf(blocks, planes, bytes), bytes,
                 [&](AtomicFile& file) { file.writeParts(bytes, blocks.blocks(), writeBlock); });
}

void writeGlb(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    writeGlbBlocks(path, BlocksInMemory(gaussians));
}

}  // namespace splat
