#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <splatwright/scene/formats/gltf_object.h>

namespace splat {

/// First bytes of a GLB file.
inline constexpr std::string_view kGlbSignature = "glTF";
inline constexpr uint32_t kGlbJsonChunk = 0x4e4f534a, kGlbBinaryChunk = 0x004e4942;  ///< "JSON", "BIN"

/// A glTF file with its buffers in memory.
class GltfFile {
public:
    /// A .glb or, without its signature, a .gltf, whose buffers are in files below its folder or in the text. Throws InputError with the path.
    explicit GltfFile(const std::filesystem::path& path);
    GltfFile(const GltfFile&) = delete;
    GltfFile& operator=(const GltfFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    GltfObject root() const { return {path_.string(), json_}; }
    /// The bytes of a buffer view. Throws InputError, naming the view, if it exceeds its buffer.
    std::span<const std::byte> view(size_t index) const;
    /// Of the file and of the files of its buffers.
    uint64_t bytes() const { return total_; }

private:
    std::span<const std::byte> readChunks();
    std::span<const std::byte> bytesOfUri(const GltfObject& buffer);

    std::filesystem::path path_;
    std::vector<std::byte> content_;
    std::map<std::string, std::vector<std::byte>> others_;  ///< by URI, what is not in the GLB
    std::vector<std::span<const std::byte>> buffers_;
    nlohmann::json json_;
    uint64_t total_ = 0;
};

}  // namespace splat
