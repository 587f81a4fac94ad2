#include <splatwright/scene/formats/sog/sog.h>

#include <memory>
#include <optional>
#include <utility>

#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/files/zip.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/sog/streamed_sog.h>

namespace splat {
namespace {

bool listsLevels(std::string_view text) {
    return text.starts_with('{') && text.find("\"lodLevels\"") != std::string_view::npos &&
           text.find("\"filenames\"") != std::string_view::npos;
}

/// Hands on the files of an archive in memory.
template <class Use>
auto withArchive(const std::filesystem::path& path, std::span<const std::byte> bytes, Use use) {
    const ZipReader archive(path, bytes);
    const SogSource source{.path = path, .read = [&](const std::string& name) { return archive.read(name); }};
    return use(source, source.read(kSogMeta));
}

/// Hands on the files of a SOG with meta.json, or returns nothing for a streamed one. `use(source, meta)` returns a Result.
template <class Result, class Use>
std::optional<Result> withFiles(const std::filesystem::path& path, Use use) {
    if (isStreamedArchive(path)) return std::nullopt;
    const std::vector<std::byte> bytes = readFile(path);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (listsLevels(text)) return std::nullopt;
    if (text.starts_with(kZipSignature)) return withArchive(path, bytes, use);
    const SogSource source{.path = path, .read = [&](const std::string& name) { return readFile(path.parent_path() / name); }};
    return use(source, bytes);
}

/// The finest level of a streamed one.
Gaussians read(const std::filesystem::path& path) {
    auto splats = withFiles<Gaussians>(path, readSog);
    return splats ? std::move(*splats) : StreamedSog(path).readLevel(0);
}

std::unique_ptr<SplatBlocks> openBlocks(const std::filesystem::path& path) {
    return withFiles<std::unique_ptr<SplatBlocks>>(path, openSog).value_or(nullptr);
}

/// An archive, or meta.json of either version, or the list of a streamed model.
bool recognises(std::string_view head) {
    const auto says = [&](const char* property) { return head.find(property) != std::string_view::npos; };
    return head.starts_with(kZipSignature) || (head.starts_with('{') && says("\"means\"") && says("\"quats\"")) || listsLevels(head);
}

// A path that cannot be written is refused first: a palette takes seconds.

void writeArchive(const std::filesystem::path& path, const Gaussians& gaussians, const ClusterVectors& cluster) {
    checkWritable(path);
    writeFileAtomically(path, packZip(encodeSog(path, gaussians, SogOrder::morton, sogPalette(path, gaussians, cluster))));
}

/// The path is that of meta.json, and images come beside it: all of them complete, or as they were.
void writeFolder(const std::filesystem::path& path, const Gaussians& gaussians, const ClusterVectors& cluster) {
    checkWritable(path);
    const std::vector<ZipEntry> entries = encodeSog(path, gaussians, SogOrder::morton, sogPalette(path, gaussians, cluster));
    std::vector<std::unique_ptr<AtomicFile>> files;
    for (const ZipEntry& entry : entries) {
        files.push_back(std::make_unique<AtomicFile>(entry.name == kSogMeta ? path : path.parent_path() / entry.name));
        files.back()->write(entry.bytes);
    }
    for (const auto& file : files) file->commit();
}

constexpr const char* kFolderFiles[] = {kSogMeta, kStreamedSogList};

constexpr SplatWriter kWriters[] = {
    {.name = "sog",
     .help = "about a tenth of a PLY, with view-dependent colours from a palette; PlayCanvas and SuperSplat read it",
     .write = writeClusteredHere<writeArchive>,
     .writeClustered = writeArchive},
    {.name = "sog-folder",
     .help = "the same as images in the folder of meta.json",
     .write = writeClusteredHere<writeFolder>,
     .fileName = kSogMeta,
     .writeClustered = writeFolder},
};

}  // namespace

Gaussians readSogArchive(const std::filesystem::path& path, std::span<const std::byte> bytes) { return withArchive(path, bytes, readSog); }

extern const SplatFormat kSogFormat{
    .name = "SOG",
    .extension = ".sog",
    .help = "PlayCanvas's images of splats, in a zip archive or a folder with meta.json, or streamed with lod-meta.json",
    .recognises = recognises,
    .read = read,
    .writers = kWriters,
    .folderFiles = kFolderFiles,
    .open = openBlocks,
};

}  // namespace splat
