#include <algorithm>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/gltf_nodes.h>
#include <splatwright/scene/formats/gltf_splats.h>
#include <splatwright/scene/formats/gltf_spz.h>
#include <splatwright/scene/formats/gltf_writer.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/gaussians/affine_transform.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

/// Splats where a node shows them.
struct Part {
    const GltfNode* node;
    GltfSplats splats;
};

void requireKnownExtensions(const GltfFile& file) {
    for (const std::string& name : file.root().texts("extensionsRequired")) {
        // Splats have no material.
        const bool known = name == kGltfSplatting || name == kGltfSpz || name == kGltfSpzUnversioned || name == "KHR_mesh_quantization" ||
                           name.starts_with("KHR_materials_") || name.starts_with("KHR_texture_");
        if (!known) {
            throw InputError("{}: extensionsRequired has '{}', which is not read", file.path().string(), shortened(escapedName(name), 80));
        }
    }
}

std::vector<Part> partsOf(const GltfFile& file, const std::vector<GltfNode>& nodes) {
    std::vector<Part> parts;
    for (const GltfNode& node : nodes) {
        const GltfObject mesh = file.root().item("meshes", node.mesh);
        for (size_t p = 0; p < mesh.size("primitives"); ++p) {
            const GltfObject primitive = mesh.item("primitives", p);
            if (isGltfSplats(primitive)) parts.push_back({&node, gltfSplats(file, primitive)});
        }
    }
    if (!parts.empty()) return parts;
    throw InputError("{}: found no splats in the {} nodes with a mesh, expected a primitive with {}", file.path().string(), nodes.size(),
                     kGltfSplatting);
}

/// The highest of the parts.
int shDegreeOf(const std::vector<Part>& parts) {
    int degree = 0;
    for (const Part& part : parts) degree = std::max(degree, part.splats.shDegree);
    return degree;
}

/// Throws InputError for more splats than the file can justify, before memory is taken for them: nodes may show one mesh many times, and
/// accessors may share their numbers.
void requireSize(const GltfFile& file, const std::vector<Part>& parts) {
    constexpr uint64_t kMostInflation = 64, kHarmlessBytes = uint64_t{1} << 26u;
    const uint64_t bytesEach = sizeof(float) * (11 + 3 * shCoefficients(shDegreeOf(parts)));
    const uint64_t most = std::max(kMostInflation * file.bytes(), kHarmlessBytes) / bytesEach;
    uint64_t count = 0;
    for (const Part& part : parts) {
        if (part.splats.count <= most - count) {
            count += part.splats.count;
            continue;
        }
        throw InputError("{}: {} splats and more, expected at most {} in a file of {} bytes", part.splats.primitive.where(),
                         part.splats.count, most, file.bytes());
    }
}

Gaussians read(const fs::path& path) {
    const GltfFile file(path);
    requireKnownExtensions(file);
    const std::vector<GltfNode> nodes = gltfNodes(file);
    const std::vector<Part> parts = partsOf(file, nodes);
    requireSize(file, parts);
    if (std::ranges::any_of(parts, [](const Part& part) { return part.splats.linearLight; })) {
        spdlog::warn("{}: colours in linear light are read as sRGB, view-dependent ones approximately; they blend differently",
                     path.string());
    }
    Gaussians all;
    bool antialiased = true;
    all.shDegree = shDegreeOf(parts);
    for (const Part& part : parts) {
        Gaussians splats = transformed(readGltfSplats(file, part.splats), part.node->transform, part.node->where);
        requireFinite(part.splats.primitive.where(), splats);
        antialiased = antialiased && splats.antialiased;
        if (parts.size() == 1) {
            all = std::move(splats);
        } else {
            append(all, splats);
        }
    }
    all.antialiased = antialiased;
    flipAxes(all, kGltfSigns);
    return all;
}

bool recognises(std::string_view head) { return head.starts_with(kGlbSignature); }

constexpr SplatWriter kWriters[] = {
    {"glb", "glTF with KHR_gaussian_splatting, 32-bit floats; programs of the glTF world read it", writeGlb, nullptr, writeGlbBlocks},
    {"glb-spz", "glTF with SPZ inside (KHR_gaussian_splatting_compression_spz_2); CesiumJS reads it", writeGlbSpz},
};

}  // namespace

extern const SplatFormat kGlbFormat{
    .name = "GLB",
    .extension = ".glb",
    .help = "glTF 2.0 in one file, with KHR_gaussian_splatting",
    .recognises = recognises,
    .read = read,
    .writers = kWriters,
};

extern const SplatFormat kGltfFormat{
    .name = "glTF",
    .extension = ".gltf",
    .help = "glTF 2.0 with KHR_gaussian_splatting",
    .recognises = nullptr,
    .read = read,
};

}  // namespace splat
