#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include <nlohmann/json.hpp>

#include <splatwright/scene/formats/splat_blocks.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// Writes a GLB of one node and one primitive with KHR_gaussian_splatting, all attributes as 32-bit floats in glTF's frame (left, up, front).
/// Throws InputError for more splats than its 4 GiB hold, or like requireWritable(); Error if the file cannot be written.
void writeGlb(const std::filesystem::path& path, const Gaussians& gaussians);
/// Reads the blocks twice: bounds of positions come first in a file.
void writeGlbBlocks(const std::filesystem::path& path, const SplatBlocks& blocks);

/// A document of one node that shows one primitive, with one buffer of so many bytes, and the extensions that it uses.
nlohmann::ordered_json gltfDocument(nlohmann::ordered_json primitive, nlohmann::ordered_json accessors, nlohmann::ordered_json views,
                                    size_t bytes, nlohmann::ordered_json extensions);

/// Gives the accessor of POSITION the bounds of positions in glTF's frame, which it must have.
void addGltfBounds(nlohmann::ordered_json& accessor, const SplatBlocks& blocks);

/// Writes a document with its buffer. Throws like writeGlb().
void writeGlbFile(const std::filesystem::path& path, const nlohmann::ordered_json& document, std::span<const std::byte> buffer);

}  // namespace splat
