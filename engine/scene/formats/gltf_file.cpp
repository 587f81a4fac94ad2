#include <splatwright/scene/formats/gltf_file.h>

#include <algorithm>
#include <charconv>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/files/base64.h>
#include <splatwright/scene/files/byte_reader.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

std::string_view textOf(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// A URI with %20 and the like replaced by their bytes.
std::string unescaped(std::string_view uri) {
    std::string text;
    for (size_t i = 0; i < uri.size(); ++i) {
        int byte = 0;
        const char* hex = uri.data() + i + 1;
        const bool escape = uri[i] == '%' && i + 2 < uri.size() && std::from_chars(hex, hex + 2, byte, 16).ptr == hex + 2;
        text += escape ? static_cast<char>(byte) : uri[i];
        if (escape) i += 2;
    }
    return text;
}

/// The file of a relative URI. Throws InputError, starting with `where`, for one that leads out of the folder.
fs::path fileOfUri(const std::string& where, const std::string& uri, const fs::path& folder) {
    const fs::path relative = unescaped(uri);
    const bool inside = !relative.has_root_path() && std::ranges::find(relative, "..") == relative.end() &&
                        uri.find(':') == std::string::npos && relative.string().find('\0') == std::string::npos;
    if (inside && !relative.empty()) return folder / relative;
    throw InputError("{}: uri is '{}', expected a file below the folder of the glTF file, or 'data:'", where,
                     shortened(escapedName(uri), 80));
}

}  // namespace

GltfFile::GltfFile(const fs::path& path) : path_(path), content_(readFile(path)), total_(content_.size()) {
    std::span<const std::byte> binary;
    if (textOf(content_).starts_with(kGlbSignature)) {
        binary = readChunks();
    } else {
        json_ = parseJson(textOf(content_), path.string());
    }
    const GltfObject all = root();
    if (const std::string version = all.object("asset").text("version"); !version.starts_with("2.")) {
        throw InputError("{}: the version of the asset is '{}', expected 2.0", path.string(), shortened(version, 80));
    }
    for (size_t b = 0; b < all.size("buffers"); ++b) {
        const GltfObject buffer = all.item("buffers", b);
        const std::span<const std::byte> bytes = buffer.has("uri") ? bytesOfUri(buffer) : binary;
        const size_t length = buffer.whole("byteLength");
        if (length > bytes.size()) throw InputError("{}: found {} bytes, expected {}", buffer.where(), bytes.size(), length);
        buffers_.push_back(bytes.first(length));
    }
}

/// Parses the JSON of a GLB and returns the binary chunk, empty if there is none.
std::span<const std::byte> GltfFile::readChunks() {
    ByteReader reader(path_, content_);
    reader.skip(kGlbSignature.size(), "the header");
    const auto version = reader.read<uint32_t>("the header");
    if (version != 2) throw InputError("{}: the version of GLB is {}, expected 2", path_.string(), version);
    const auto length = reader.read<uint32_t>("the header");
    if (length > content_.size()) {
        throw InputError("{}: found {} bytes, expected {} (truncated)", path_.string(), content_.size(), length);
    }
    const auto json = reader.read<uint32_t>("the JSON chunk");
    const auto type = reader.read<uint32_t>("the JSON chunk");
    if (type != kGlbJsonChunk) throw InputError("{}: the first chunk has the type {:#x}, expected JSON", path_.string(), type);
    json_ = parseJson(textOf(reader.readBytes(json, "the JSON chunk")), path_.string());
    if (reader.left() == 0) return {};
    const auto binary = reader.read<uint32_t>("the binary chunk");
    if (reader.read<uint32_t>("the binary chunk") != kGlbBinaryChunk) return {};  // of an extension
    return reader.readBytes(binary, "the binary chunk");
}

std::span<const std::byte> GltfFile::bytesOfUri(const GltfObject& buffer) {
    const std::string uri = buffer.text("uri");
    const auto [others, isNew] = others_.try_emplace(uri);  // so that a file is in memory once
    std::vector<std::byte>& bytes = others->second;
    if (!isNew) return bytes;
    if (!uri.starts_with("data:")) {
        bytes = readFile(fileOfUri(buffer.where(), uri, path_.parent_path()));
        total_ += bytes.size();
        return bytes;
    }
    constexpr std::string_view kEncoding = ";base64,";
    const size_t comma = uri.find(kEncoding);
    std::optional<std::vector<std::byte>> decoded;
    if (comma != std::string::npos) decoded = bytesOfBase64(std::string_view(uri).substr(comma + kEncoding.size()));
    if (!decoded) throw InputError("{}: uri is '{}', expected base64 after 'data:'", buffer.where(), shortened(escapedName(uri), 80));
    return bytes = std::move(*decoded);
}

std::span<const std::byte> GltfFile::view(size_t index) const {
    const GltfObject view = root().item("bufferViews", index);
    const size_t buffer = view.whole("buffer"), offset = view.whole("byteOffset", 0), length = view.whole("byteLength");
    if (buffer >= buffers_.size()) throw InputError("{}: buffer is {}, expected less than {}", view.where(), buffer, buffers_.size());
    const std::span<const std::byte> bytes = buffers_[buffer];
    if (offset <= bytes.size() && length <= bytes.size() - offset) return bytes.subspan(offset, length);
    throw InputError("{}: has {} bytes from {} on, expected them within the {} of its buffer", view.where(), length, offset, bytes.size());
}

}  // namespace splat
