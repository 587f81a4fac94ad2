#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include <splatwright/scene/images/film_writer.h>
#include "commands/render/drawing.h"

namespace splat::app {

/// What a drawing is written with.
struct RenderFileOptions {
    const RenderMode* mode;
    bool half = false;  ///< floats of 16 bits
};

/// A kind of file that a view, or all of them, are written as: a value of --as.
struct RenderFormat {
    std::string_view name;  ///< and the file's extension
    std::string_view help;
    bool hasHalf = false;  ///< RenderFileOptions::half
    void (*require)();     ///< throws if this build or system cannot write it
    void (*write)(const std::filesystem::path& path, Drawing& drawing, const RenderFileOptions& options) = nullptr;
    const FilmFormat* film = nullptr;  ///< of one file for all views, instead of write()
};

std::span<const RenderFormat> renderFormats();

/// Throws InputError listing the names.
const RenderFormat* parseRenderFormat(std::string_view name, std::string_view option);

}  // namespace splat::app
