#pragma once

#include <optional>

#include <splatwright/scene/formats/gltf_splats.h>

namespace splat {

/// SPZ within glTF (github.com/KhronosGroup/glTF, draft KHR_gaussian_splatting_compression_spz_2): the extension of KHR_gaussian_splatting.
inline constexpr const char* kGltfSpz = "KHR_gaussian_splatting_compression_spz_2";
/// Its name without the version of the draft, which some programs write.
inline constexpr const char* kGltfSpzUnversioned = "KHR_gaussian_splatting_compression_spz";

/// The buffer view with the SPZ of a primitive's KHR_gaussian_splatting; nothing if there is none.
std::optional<size_t> gltfSpzView(const GltfObject& splatting);

/// The splats in the mesh's frame. Throws InputError with the primitive.
Gaussians readGltfSpz(const GltfFile& file, const GltfSplats& splats);

/// Writes a GLB that CesiumJS reads. Throws like writeGlb() and encodeSpz().
void writeGlbSpz(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
