#include <splatwright/scene/formats/gltf_spz.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/gltf_accessor.h>
#include <splatwright/scene/formats/gltf_writer.h>
#include <splatwright/scene/formats/spz.h>
#include <splatwright/scene/formats/spz_writer.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {
namespace {

using Json = nlohmann::ordered_json;

// The draft asks for SPZ in its own frame (right, up, back), converted to glTF's (left, up, front). CesiumJS and the files for it take the
// numbers as they are, in glTF's frame. Those files come from before KHR_gaussian_splatting had a kernel, which tells them apart.
constexpr glm::vec3 kSpzSigns{1, -1, -1};

/// An accessor whose numbers are in the SPZ.
Json accessor(const char* type, size_t count, GltfType componentType = GltfType::f32) {
    return {{"componentType", componentType}, {"count", count}, {"type", type}};
}

}  // namespace

std::optional<size_t> gltfSpzView(const GltfObject& splatting) {
    if (!splatting.has("extensions")) return std::nullopt;
    const GltfObject extensions = splatting.object("extensions");
    for (const char* name : {kGltfSpz, kGltfSpzUnversioned})
        if (extensions.has(name)) return extensions.object(name).whole("bufferView");
    return std::nullopt;
}

Gaussians readGltfSpz(const GltfFile& file, const GltfSplats& splats) {
    const std::string& where = splats.primitive.where();
    Gaussians gaussians = decodeSpz(where, file.view(splats.spz->view));
    if (gaussians.count() != splats.count)
        throw InputError("{}: the SPZ has {} splats, expected {} as POSITION has", where, gaussians.count(), splats.count);
    setShDegree(gaussians, splats.shDegree);
    flipAxes(gaussians, splats.spz->isInItsFrame ? kGltfSigns : kSpzSigns);
    return gaussians;
}

void writeGlbSpz(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkWritable(path);
    checkSizes(gaussians);
    Gaussians turned = gaussians;
    flipAxes(turned, kGltfSigns * kSpzSigns);  // so that the numbers in the SPZ are those in glTF's frame
    const std::vector<std::byte> spz = encodeSpz(path, BlocksInMemory(turned), {.version = 3, .firstBits = 5, .furtherBits = 4});
    const std::string prefix = std::string(kGltfSplatting) + ":";
    const size_t count = gaussians.count();
    Json attributes{{"POSITION", 0}, {"COLOR_0", 1}, {prefix + "SCALE", 2}, {prefix + "ROTATION", 3}};
    Json accessors{accessor("VEC3", count), accessor("VEC4", count, GltfType::u8), accessor("VEC3", count), accessor("VEC4", count)};
    addGltfBounds(accessors[0], BlocksInMemory(gaussians));
    accessors[1]["normalized"] = true;
    for (int degree = 1; degree <= gaussians.shDegree; ++degree)
        for (int k = 0; k <= 2 * degree; ++k) {
            attributes[fmt::format("{}SH_DEGREE_{}_COEF_{}", prefix, degree, k)] = accessors.size();
            accessors.push_back(accessor("VEC3", count));
        }
    const Json primitive{
        {"attributes", attributes}, {"mode", 0}, {"extensions", {{kGltfSplatting, {{"extensions", {{kGltfSpz, {{"bufferView", 0}}}}}}}}}};
    Json document =
        gltfDocument(primitive, accessors, {{{"buffer", 0}, {"byteLength", spz.size()}}}, spz.size(), {kGltfSplatting, kGltfSpz});
    document["extensionsRequired"] = {kGltfSplatting, kGltfSpz};  // without it, all splats would lie at the origin
    writeGlbFile(path, document, spz);
}

}  // namespace splat
