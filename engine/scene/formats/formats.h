#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "scene/gaussians.h"

namespace splat {

/// One row of the table of splat formats; its functions live in one file each.
struct SplatFormat {
    const char* name;
    const char* extension;  ///< with the dot, in lower case
    const char* help;       ///< whose layout it is and what it loses, for messages
    /// Whether a file starts as one of this format does; null for a format without a signature, which only the extension tells.
    bool (*recognises)(std::string_view head);
    /// Throws InputError with path, property, found and expected.
    Gaussians (*read)(const std::filesystem::path& path);
};

extern const SplatFormat kCompressedPlyFormat;
extern const SplatFormat kPlyFormat;
extern const SplatFormat kSplatFormat;
extern const SplatFormat kSpzFormat;

/// All rows, in the order in which a file is offered to them.
std::span<const SplatFormat* const> splatFormats();

/// "PLY, SPZ, ...", for help texts.
std::string splatFormatNames();

/// Reads splats in any format of the table, in the frame of a PLY (x right, y down, z forward): the row is chosen by the file's first bytes,
/// and by its extension where those say nothing. Throws InputError, which lists the known formats when no row is right.
Gaussians readSplats(const std::filesystem::path& path);

}  // namespace splat
