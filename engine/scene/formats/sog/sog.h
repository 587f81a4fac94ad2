#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <splatwright/core/image.h>
#include <splatwright/scene/clusters/vector_clusters.h>
#include <splatwright/scene/files/zip.h>
#include <splatwright/scene/formats/splat_blocks.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// SOG (Spatially Ordered Gaussians, developer.playcanvas.com/user-manual/gaussian-splatting/formats/sog): lossless WebP images with one pixel per
/// splat, and meta.json, which says what their bytes mean; in a zip archive or a folder.

inline constexpr const char* kSogMeta = "meta.json";
inline constexpr size_t kSogPaletteColumns =
    64;  ///< entries per row of the palette's image, each with a pixel per coefficient of degree 1 and more
inline constexpr int kSogFirstRotation = 252;     ///< the fourth byte of rotations without w
inline constexpr size_t kSogMostEntries = 65536;  ///< of the palette: a label has two bytes

/// Where the files of a SOG come from.
struct SogSource {
    std::filesystem::path path;                                             ///< of the archive or of meta.json, for messages
    std::function<std::vector<std::byte>(const std::string& name)> read{};  ///< the content of a file; throws InputError
};

/// The number of splats that images of this size may stand for, against decompression bombs. A splat of a real scene takes 8 bytes and more; splats
/// that are all alike, a small part of one.
constexpr size_t sogMostSplats(size_t imageBytes) {
    constexpr size_t kMostPerByte = 16, kHarmless = size_t{1} << 18U;
    return std::max(kHarmless, kMostPerByte * imageBytes);
}

/// Reads versions 1 and 2, in the frame of a PLY. `meta` is the content of meta.json. Throws InputError with path, property, found and expected.
Gaussians readSog(const SogSource& source, std::span<const std::byte> meta);

/// The same with only the images in memory, which are an eighth of the splats and less.
std::unique_ptr<SplatBlocks> openSog(const SogSource& source, std::span<const std::byte> meta);

/// Reads an archive in memory; errors name the path.
Gaussians readSogArchive(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// A rotation (w, x, y, z) of four bytes: three components, and which of the four is left out. Other fourth bytes stand for no rotation.
glm::vec4 sogRotation(const uint8_t* bytes);

/// The size of a lossless WebP in pixels. Throws InputError, starting with `where`, if the bytes are none.
glm::ivec2 losslessWebpSize(const std::string& where, std::span<const std::byte> bytes);

/// Decodes to RGBA. Throws InputError, starting with `where`. Check the size first: a few bytes may stand for 268 million pixels.
Image8 decodeLosslessWebp(const std::string& where, std::span<const std::byte> bytes);

/// How hard the encoder tries to save bytes.
enum class WebpEffort { quick, thorough };

/// Encodes RGBA without any loss, even where it is transparent. Throws Error.
std::vector<std::byte> encodeLosslessWebp(const Image8& image, WebpEffort effort);

/// Order of the splats in a SOG's images: neighbours in space near each other compress better.
enum class SogOrder { morton, asTheyAre };

/// The palette for the coefficients of degree 1 and more; empty for degree 0. Throws as encodeSog().
VectorClusters sogPalette(const std::filesystem::path& path, const Gaussians& gaussians, const ClusterVectors& cluster = clusterVectors);

/// The files of a SOG of version 2, meta.json as the last. Throws InputError with the path if the format cannot hold the splats.
std::vector<ZipEntry> encodeSog(const std::filesystem::path& path, const Gaussians& gaussians, SogOrder order, VectorClusters palette);

}  // namespace splat
