#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/clusters/vector_clusters.h>
#include <splatwright/scene/formats/splat_blocks.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// A way to write a format: a version, or another encoding.
struct SplatWriter {
    const char* name;  ///< lower case, unique among all formats
    const char* help;  ///< what it keeps and loses, and who reads it
    /// Throws InputError, with path, splat and attribute, if the format cannot hold the splats; Error if the file cannot be written. The file is
    /// complete or unchanged.
    void (*write)(const std::filesystem::path& path, const Gaussians& gaussians);
    const char* fileName = nullptr;  ///< a name of files that stands for this writer, as an extension does for the first one
    /// The same for a model that is never in memory as a whole; null for a format that needs all splats at once.
    void (*writeBlocks)(const std::filesystem::path& path, const SplatBlocks& blocks) = nullptr;
    /// The same with a palette that another way of clustering finds; null for a format without one.
    void (*writeClustered)(const std::filesystem::path& path, const Gaussians& gaussians, const ClusterVectors& cluster) = nullptr;
};

/// SplatWriter::write of a writer with a palette.
template <auto kWriteClustered>
void writeClusteredHere(const std::filesystem::path& path, const Gaussians& gaussians) {
    kWriteClustered(path, gaussians, clusterVectors);
}

/// A splat format: one file defines its row, and the table lists the row's name.
struct SplatFormat {
    const char* name;
    const char* extension;  ///< with the dot, lower case
    const char* help;       ///< origin of the layout and its losses, for messages
    /// Whether a file starts with the format's signature; null for a format that only the extension identifies.
    bool (*recognises)(std::string_view head);
    /// Throws InputError with path, property, found and expected.
    Gaussians (*read)(const std::filesystem::path& path);
    std::span<const SplatWriter> writers = {};  ///< the extension stands for the first one; none for a format that is only read
    /// Files of which one makes a folder a model of the format, and that is read instead of the folder.
    std::span<const char* const> folderFiles = {};
    /// Reads block by block; throws as read() does. Null, also as an answer, where only the whole can be read.
    std::unique_ptr<SplatBlocks> (*open)(const std::filesystem::path& path) = nullptr;
};

/// All rows, in the order in which they are tried.
std::span<const SplatFormat* const> splatFormats();

/// "PLY, SPZ, ...", for help texts.
std::string splatFormatNames();

/// The format of a name in any case, with or without a dot, and with - for a space. Throws InputError listing the names.
const SplatFormat& splatFormatByName(std::string_view name);

/// Reads splats in any format of the table, in the frame of a PLY (x right, y down, z forward). The format is detected by the first bytes, else by
/// the extension, and that of a folder by a file in it. Throws InputError if no format matches or the file is invalid.
Gaussians readSplats(const std::filesystem::path& path);

/// Opens splats in the format that readSplats() finds, to be read in blocks. Null if they can only be read as a whole.
std::unique_ptr<SplatBlocks> openSplats(const std::filesystem::path& path);

/// The writers of all rows, in their order.
std::vector<const SplatWriter*> splatWriters();

/// The writer for which the path's extension stands. Throws InputError if it stands for no format, or for one that is only read.
const SplatWriter& splatWriterOf(const std::filesystem::path& path);

/// Throws InputError listing the names.
const SplatWriter& splatWriterByName(std::string_view name);

/// The format of one of splatWriters().
const SplatFormat& splatFormatOf(const SplatWriter& writer);

/// Writes splats in the format that the extension names, with the errors of splatWriterOf() and SplatWriter::write.
void writeSplats(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
