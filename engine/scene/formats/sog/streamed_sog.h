#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/files/zip.h>
#include <splatwright/scene/gaussians/extent.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// The list of a streamed SOG: a folder, or a zip archive (.ssog), of SOGs that hold a scene in levels of detail (PlayCanvas's splat-transform,
/// src/lib/writers/write-lod.ts).
inline constexpr const char* kStreamedSogList = "lod-meta.json";

inline constexpr uint32_t kMostDetailLevels = 31;

/// Splats [first, first + count) of a file.
struct SplatRange {
    uint32_t file = 0, first = 0, count = 0;
};

/// A part of the scene in all levels of detail, the finest first.
struct DetailNode {
    glm::vec3 low{0}, high{0};          ///< bounds of its splats, three standard deviations around their means
    glm::vec3 coreLow{0}, coreHigh{0};  ///< bounds of the means alone: how near it is
    std::vector<SplatRange> levels;     ///< one per level of the scene; count 0: the node has none of its own
    /// Size of a pixel, world units, from which on the level looks like the finest one: 0 for it, ascending.
    std::vector<float> errors;
    std::vector<float> differences;  ///< squared difference of its pictures from those of the finest level, relative; for other programs
};

/// A streamed SOG on disk. Files are decoded on demand.
class StreamedSog {
public:
    /// Reads the list only. Path is that of lod-meta.json, its folder or the archive. Throws InputError with path, property, found and expected.
    explicit StreamedSog(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    uint32_t levels() const { return levels_; }
    const std::vector<DetailNode>& nodes() const { return nodes_; }
    size_t files() const { return files_.size(); }
    /// Splats in all nodes of a level, without the surroundings.
    uint64_t count(uint32_t level) const;
    /// Centre of the nodes, and a radius that about half of a flat scene's splats lie within.
    Extent extent() const;
    /// Whether the scene has splats far away that are the same in all levels.
    bool hasSurroundings() const { return !surroundings_.empty(); }

    /// Decodes a file, in the frame of a PLY. Any thread may call it. Throws InputError, also if the file holds fewer splats than the list says.
    Gaussians readFile(size_t file) const;
    Gaussians surroundings() const;
    /// A level as a whole, with the surroundings.
    Gaussians readLevel(uint32_t level) const;

private:
    void readList(std::string_view text);
    Gaussians read(const std::string& meta) const;
    std::vector<std::byte> bytesOf(const std::string& name) const;

    std::filesystem::path path_;
    std::unique_ptr<ZipReader> archive_;
    mutable std::mutex archiveLock_;
    uint32_t levels_ = 0;
    std::vector<std::string> files_;
    std::vector<uint64_t> counts_;  // splats that the list names, by file
    std::string surroundings_;
    std::vector<DetailNode> nodes_;
};

/// Whether the file is a zip archive with the list of a streamed SOG.
bool isStreamedArchive(const std::filesystem::path& path);

/// Whether a path is that of a streamed SOG: its list, a folder with one, or an archive. False for what cannot be read.
bool isStreamedSog(const std::filesystem::path& path);

}  // namespace splat
