#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// A splat format: one file defines its row, and the table lists the row's name.
struct SplatFormat {
    const char* name;
    const char* extension;  ///< with the dot, lower case
    const char* help;       ///< origin of the layout and its losses, for messages
    /// Whether a file starts with the format's signature; null for a format that only the extension identifies.
    bool (*recognises)(std::string_view head);
    /// Throws InputError with path, property, found and expected.
    Gaussians (*read)(const std::filesystem::path& path);
    /// Throws Error if the file cannot be written; null for a format that is only read.
    void (*write)(const std::filesystem::path& path, const Gaussians& gaussians) = nullptr;
};

/// All rows, in the order in which they are tried.
std::span<const SplatFormat* const> splatFormats();

/// "PLY, SPZ, ...", for help texts.
std::string splatFormatNames();

/// Reads splats in any format of the table, in the frame of a PLY (x right, y down, z forward). The format is detected by the first bytes, else by
/// the extension. Throws InputError if no format matches or the file is invalid.
Gaussians readSplats(const std::filesystem::path& path);

/// Writes splats in the format that the extension names. Throws InputError if it names none or one that is only read, Error if the file cannot be
/// written.
void writeSplats(const std::filesystem::path& path, const Gaussians& gaussians);

}  // namespace splat
