#pragma once

#include <deque>
#include <filesystem>
#include <future>
#include <span>
#include <vector>

#include <splatwright/scene/clusters/vector_clusters.h>
#include <splatwright/scene/formats/sog/streamed_sog.h>

namespace splat {

/// Whether a path names a streamed SOG: lod-meta.json or *.ssog.
bool namesStreamedSog(const std::filesystem::path& path);

/// Writes a streamed SOG node by node, so that only what fills the next file of each level is in memory; an archive's compressed files are. Members
/// throw InputError or Error with the path.
class StreamedSogWriter {
public:
    /// The path's name says what is written (namesStreamedSog()). A list that is there goes at once: its files are about to be replaced.
    /// `cluster` finds palettes in calls of members; without it, threads that encode files do.
    StreamedSogWriter(std::filesystem::path path, uint32_t levels, ClusterVectors cluster = {}, size_t splatsPerFile = size_t{512} * 1024);

    /// Appends splats of a node to a level, and says where they are.
    SplatRange append(size_t level, const Gaussians& splats);
    /// No more splats come for this level: its last file is encoded at once.
    void end(size_t level);
    /// Lists a node, with a range of each level.
    void add(DetailNode node);
    /// Writes what is left, and the list as the last. Without it, there is no streamed SOG.
    void finish();

    uint64_t bytes() const { return bytes_; }
    const std::vector<uint64_t>& counts() const { return counts_; }

private:
    /// The file of a level that is being filled.
    struct Unit {
        uint32_t number = 0;  ///< of the level's files
        uint32_t file = 0;    ///< of all files
        Gaussians splats;
    };

    /// Files are encoded on other threads, a few at a time.
    struct Encoding {
        std::string folder;
        std::future<std::vector<ZipEntry>> files;
    };

    void startFile(size_t level);
    void putOldest();
    void put(const std::string& name, std::vector<std::byte> bytes);
    std::string list() const;

    std::filesystem::path path_;
    bool archive_;
    ClusterVectors cluster_;   // may be empty
    size_t splatsPerFile_;     // at most, unless a node alone has more
    std::vector<Unit> units_;  // by level
    std::vector<std::string> files_;
    std::vector<uint64_t> counts_;  // by level
    std::vector<DetailNode> nodes_;
    std::deque<Encoding> encoding_;  // the oldest first
    std::vector<ZipEntry> entries_;  // of an archive
    uint64_t bytes_ = 0;
};

}  // namespace splat
