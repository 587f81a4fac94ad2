#pragma once

#include <optional>

#include <splatwright/scene/formats/gltf_file.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// A primitive of splats, KHR_gaussian_splatting (github.com/KhronosGroup/glTF, extensions/2.0/Khronos, release candidate of July 2026).
struct GltfSplats {
    /// Where the splats are compressed.
    struct Spz {
        size_t view;        ///< the buffer view
        bool isInItsFrame;  ///< whether its numbers are in SPZ's frame, not in glTF's
    };

    GltfObject primitive;
    size_t count;
    int shDegree;
    bool linearLight;  ///< whether its colours are light, not sRGB
    bool antialiased;  ///< as our writer says it
    std::optional<Spz> spz = std::nullopt;
};

/// glTF's axes are left, up, front; a PLY's are right, down, front.
inline constexpr glm::vec3 kGltfSigns{-1, -1, 1};
inline constexpr const char* kGltfSplatting = "KHR_gaussian_splatting";
inline constexpr const char* kGltfAntialiased = "splatwright_antialiased";  ///< of the primitive's "extras"

/// Whether a primitive has the extension.
bool isGltfSplats(const GltfObject& primitive);

/// Checks what the primitive says of itself, before its numbers are read. Throws InputError for what is not read or not valid.
GltfSplats gltfSplats(const GltfFile& file, const GltfObject& primitive);

/// The splats in the mesh's frame, with colours in sRGB. Throws InputError with the primitive and the attribute.
Gaussians readGltfSplats(const GltfFile& file, const GltfSplats& splats);

}  // namespace splat
