#include "commands/render/render_files.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/scene/images/exr_writer.h>
#include <splatwright/scene/images/image_file.h>
#include <splatwright/scene/images/npy_writer.h>

namespace splat::app {

namespace {

namespace fs = std::filesystem;

void writeExrFile(const fs::path& path, Drawing& drawing, const RenderFileOptions& options) {
    writeExr(path, drawing.values(), options.mode->channels(), options.half ? ExrFloats::half : ExrFloats::single);
}

constexpr std::array kFormats{
    RenderFormat{.name = "png",
                 .help = "8 bits, as the viewer shows the mode",
                 .require = [] {},
                 .write = [](const fs::path& path, Drawing& drawing, const RenderFileOptions&) { writePng(path, drawing.picture()); }},
    RenderFormat{
        .name = "exr",
        .help = "the mode's values as 32-bit floats or with --half 16-bit ones, in channels R, G, B; Z for depth, A for alpha, N.X, N.Y, "
                "N.Z for normal, Y for other numbers",
        .hasHalf = true,
        .require = requireExr,
        .write = writeExrFile},
    RenderFormat{.name = "npy",
                 .help = "the same values for numpy.load, as 32-bit floats of shape (height, width) or (height, width, 3)",
                 .require = [] {},
                 .write = [](const fs::path& path, Drawing& drawing, const RenderFileOptions&) { writeNpy(path, drawing.values()); }},
    RenderFormat{
        .name = "mp4",
        .help =
            "one film of the views in their order, named after the mode, by the ffmpeg on the PATH; H.264 with 4:2:0, so odd sides lose a "
            "row or column; a colour map keeps its range",
        .require = requireFfmpeg,
        .film = &kMp4Film},
    RenderFormat{.name = "webm", .help = "the same film by VP9", .require = requireFfmpeg, .film = &kWebmFilm}};

}  // namespace

std::span<const RenderFormat> renderFormats() { return kFormats; }

const RenderFormat* parseRenderFormat(std::string_view name, std::string_view option) {
    const auto* const row = std::ranges::find(kFormats, name, &RenderFormat::name);
    if (row != kFormats.end()) return row;
    std::vector<std::string_view> names;
    for (const RenderFormat& format : kFormats) names.push_back(format.name);
    throw InputError("{}: found '{}', expected one of {}", option, name, fmt::join(names, ", "));
}

}  // namespace splat::app
