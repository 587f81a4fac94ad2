#include <splatwright/scene/formats/sog/sog.h>

#include <splatwright/core/input_file.h>
#include <splatwright/scene/files/zip.h>
#include <splatwright/scene/formats/formats.h>

namespace splat {
namespace {

Gaussians read(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    if (std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(kZipSignature)) {
        const ZipReader archive(path, bytes);
        const SogSource source{.path = path, .read = [&](const std::string& name) { return archive.read(name); }};
        return readSog(source, source.read(kSogMeta));
    }
    const SogSource source{.path = path, .read = [&](const std::string& name) { return readFile(path.parent_path() / name); }};
    return readSog(source, bytes);
}

/// An archive, or meta.json of either version, or the list of a streamed model, which the reader refuses by name.
bool recognises(std::string_view head) {
    const auto says = [&](const char* property) { return head.find(property) != std::string_view::npos; };
    return head.starts_with(kZipSignature) ||
           (head.starts_with('{') && ((says("\"means\"") && says("\"quats\"")) || (says("\"lodLevels\"") && says("\"filenames\""))));
}

constexpr const char* kFolderFiles[] = {kSogMeta, "lod-meta.json"};

}  // namespace

extern const SplatFormat kSogFormat{
    .name = "SOG",
    .extension = ".sog",
    .help = "PlayCanvas's images of splats, in a zip archive or a folder with meta.json",
    .recognises = recognises,
    .read = read,
    .folderFiles = kFolderFiles,
};

}  // namespace splat
