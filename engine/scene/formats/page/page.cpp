#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/names.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/scene/files/base64.h>
#include <splatwright/scene/files/gzip.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/page/page_viewer.h>
#include <splatwright/scene/formats/sog/sog.h>
#include <splatwright/scene/gaussians/orbit_views.h>

namespace splat {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What pages of PlayCanvas's viewer have in common, whoever wrote them.
constexpr std::string_view kScene = "id=\"sse-bootstrap\">", kSceneEnd = "</script>";
constexpr std::string_view kData = "data:application/octet-stream;base64,";

/// The JSON in the page that names its scene. Throws InputError if there is none.
std::string_view sceneOf(const fs::path& path, std::string_view page) {
    const size_t start = page.find(kScene), begin = start + kScene.size();
    const size_t end = start == std::string_view::npos ? start : page.find(kSceneEnd, begin);
    if (end == std::string_view::npos)
        throw InputError("{}: found no scene, expected a page of PlayCanvas's viewer with <script {} ... {}", path.string(), kScene,
                         kSceneEnd);
    return page.substr(begin, end - begin);
}

Gaussians read(const fs::path& path) {
    const std::string page = readTextFile(path);
    const json scene = parseJson(sceneOf(path, page), path.string());
    const auto* url = scene.is_object() && scene.contains("contentUrl") ? scene["contentUrl"].get_ptr<const std::string*>() : nullptr;
    if (!url || !url->starts_with(kData))
        throw InputError("{}: contentUrl is {}, expected splats in the page itself ({}...)", path.string(),
                         url ? fmt::format("'{}'", shortened(escapedName(*url), 80)) : "missing", kData);
    const auto bytes = bytesOfBase64(std::string_view(*url).substr(kData.size()));
    if (!bytes) throw InputError("{}: contentUrl is not in base64", path.string());
    return readSogArchive(path, *bytes);
}

/// Text that stands for itself in an element.
std::string escapedHtml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '<' || c == '>' || c == '&')
            escaped += fmt::format("&#{};", static_cast<int>(c));
        else
            escaped += c;
    }
    return escaped;
}

/// The viewer's settings: a camera that looks at most of the splats, and their colours as they are. Its world has the axes of glTF.
json settingsOf(const Gaussians& gaussians) {
    constexpr ImageSize kSquare{2, 2};
    constexpr double kFieldOfView = 75;  // degrees, along the longer side of the window
    const Extent extent = extentOf(gaussians);
    const Camera camera = orbitViews(extent, 1, kSquare, {0, -1, 0}).front().camera;
    const auto place = [](glm::dvec3 p) { return json{-p.x, -p.y, p.z}; };
    const json off{{"enabled", false}};
    const auto disabled = [&](json values) {
        values.update(off);
        return values;
    };
    return {{"version", 2},
            {"tonemapping", "none"},
            {"highPrecisionRendering", false},
            {"background", {{"color", {0, 0, 0}}}},
            {"postEffectSettings",
             {{"sharpness", disabled({{"amount", 0}})},
              {"bloom", disabled({{"intensity", 1}, {"blurLevel", 2}})},
              {"grading", disabled({{"brightness", 1}, {"contrast", 1}, {"saturation", 1}, {"tint", {1, 1, 1}}})},
              {"vignette", disabled({{"intensity", 0.5}, {"inner", 0.3}, {"outer", 0.75}, {"curvature", 1}})},
              {"fringing", disabled({{"intensity", 0.5}})}}},
            {"animTracks", json::array()},
            {"cameras", {{{"initial", {{"position", place(camera.position())}, {"target", place(extent.centre)}, {"fov", kFieldOfView}}}}}},
            {"annotations", json::array()},
            {"startMode", "default"}};
}

std::string unpacked(const fs::path& path, std::string_view packed) {
    constexpr size_t kMostBytes = size_t{1} << 26U;  // the viewer has 3.4 MB
    GzipReader gzip(path, std::as_bytes(std::span(packed)));
    const auto bytes = gzip.readRest(kMostBytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write(const fs::path& path, const Gaussians& gaussians, const ClusterVectors& cluster) {
    if (pageViewer().empty())
        throw Error("{}: this build has no viewer for pages, expected that of `./bootstrap.sh deps` when the program was built",
                    path.string());
    checkWritable(path);
    const std::vector<std::byte> sog = packZip(encodeSog(path, gaussians, SogOrder::morton, sogPalette(path, gaussians, cluster)));
    const json scene{
        {"settings", settingsOf(gaussians)}, {"contentFilename", "scene.sog"}, {"contentUrl", std::string(kData) + base64Of(sog)}};
    std::string page = unpacked(path, pageViewer());
    const auto replace = [&](std::string_view mark, const std::string& by) { page.replace(page.find(mark), mark.size(), by); };
    replace("@bootstrap@", scene.dump());
    replace("@title@", escapedHtml(escapedName(path.stem().string())));  // last, as a name may contain a mark
    writeFileAtomically(path, page);
}

bool recognises(std::string_view head) {
    constexpr std::string_view kDoctype = "<!doctype html";
    return std::ranges::equal(head.substr(0, kDoctype.size()), kDoctype, {},
                              [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; });
}

constexpr SplatWriter kWriters[] = {
    {.name = "html",
     .help = "a page with the splats as SOG and PlayCanvas's viewer (orbit, fly, touch), which browsers open without a server",
     .write = writeClusteredHere<write>,
     .writeClustered = write}};

}  // namespace

extern const SplatFormat kPageFormat{
    .name = "page",
    .extension = ".html",
    .help = "a page of PlayCanvas's viewer with the splats in it",
    .recognises = recognises,
    .read = read,
    .writers = kWriters,
};

}  // namespace splat
