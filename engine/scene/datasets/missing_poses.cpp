#include <splatwright/scene/datasets/missing_poses.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <splatwright/core/error.h>
#include <splatwright/scene/image_file.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 4> kImages{".jpg", ".jpeg", ".png", ".webp"};
constexpr std::array<std::string_view, 8> kVideos{".mp4", ".mov", ".m4v", ".mkv", ".webm", ".avi", ".mts", ".3gp"};

template <size_t N>
bool hasEnding(const fs::path& path, const std::array<std::string_view, N>& endings) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::ranges::find(endings, ending) != endings.end();
}

/// Regular files of a folder with one of these extensions, sorted by name; none if the folder cannot be read.
template <size_t N>
std::vector<fs::path> filesIn(const fs::path& folder, const std::array<std::string_view, N>& endings) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && hasEnding(entry->path(), endings)) files.push_back(entry->path());
    }
    std::ranges::sort(files);
    return files;
}

/// A path that no program can mistake for an option or a URL.
fs::path asArgument(const fs::path& path) {
    const std::string text = path.string();
    return text.starts_with('-') || (path.is_relative() && text.find(':') != std::string::npos) ? fs::path(".") / path : path;
}

/// The path in a form that ends with a name, not with "", "." or "..".
fs::path named(const fs::path& path) {
    fs::path normal = path.lexically_normal();
    if (!normal.has_filename()) normal = normal.parent_path();
    if (normal.empty() || normal == "." || normal.filename() == "..") normal = fs::absolute(path / "").lexically_normal().parent_path();
    return asArgument(normal);
}

std::string quoted(const fs::path& path) { return shellQuoted(path.string()); }

/// COLMAP requires images of equal size to share a camera.
bool haveOneSize(const std::vector<fs::path>& photographs) {
    std::set<std::pair<int, int>> sizes;
    try {
        for (const fs::path& photograph : photographs) {
            const ImageSize size = readImageHeader(photograph).size;
            sizes.emplace(size.width, size.height);
        }
    } catch (const Error&) {
        return false;
    }
    return sizes.size() == 1;
}

/// Commands that fill a dataset's folder `images`, and COLMAP's options for these images.
struct Preparation {
    fs::path dataset;
    std::string found;     ///< what the path contains
    std::string packages;  ///< Debian packages to install
    std::vector<std::string> commands;
    std::string options;  ///< for COLMAP
};

Preparation ofPhotographs(const fs::path& folder, const std::vector<fs::path>& photographs) {
    Preparation p{.dataset = folder,
                  .found = fmt::format("{} photograph{}", photographs.size(), photographs.size() == 1 ? "" : "s"),
                  .packages = "colmap",
                  .commands = {},
                  .options = {}};
    if (folder.filename() == "images") {
        p.dataset = named(folder / "..");
    } else {
        p.dataset += "-dataset";
        p.commands = {fmt::format("mkdir -p {}", quoted(p.dataset)),
                      fmt::format("ln -s {} {}", quoted(fs::absolute(folder).lexically_normal()), quoted(p.dataset / "images"))};
    }
    if (haveOneSize(photographs)) p.options = " --single_camera 1";
    return p;
}

/// Extracts two frames per second: neighbouring frames still overlap, and exhaustive matching stays feasible.
Preparation ofVideo(const fs::path& video, const fs::path& dataset) {
    std::string frames = (dataset / "images").string();
    for (size_t at = 0; (at = frames.find('%', at)) != std::string::npos; at += 2) frames.insert(at, "%");
    return {.dataset = dataset,
            .found = "a video",
            .packages = "ffmpeg colmap",
            .commands = {fmt::format("mkdir -p {}", quoted(dataset / "images")),
                         fmt::format("ffmpeg -i {} -vf fps=2 -qscale:v 2 {}", quoted(video), shellQuoted(frames + "/%05d.jpg"))},
            .options = " --single_camera 1 --data_type video"};
}

std::optional<Preparation> preparationFor(const fs::path& given) {
    const fs::path path = named(given);
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) {
        if (!hasEnding(path, kVideos)) return std::nullopt;
        fs::path dataset = path;
        return ofVideo(path, dataset.replace_extension() += "-dataset");
    }
    if (const auto photographs = filesIn(path / "images", kImages); !photographs.empty())
        return ofPhotographs(path / "images", photographs);
    if (const auto photographs = filesIn(path, kImages); !photographs.empty()) return ofPhotographs(path, photographs);
    if (const auto videos = filesIn(path, kVideos); !videos.empty()) return ofVideo(videos.front(), path);
    return std::nullopt;
}

/// Command line that starts this program.
std::string programName() {
    constexpr const char* kName = "splatwright";
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return !failed && self.filename() == kName ? quoted(self) : kName;
}

}  // namespace

std::string shellQuoted(const std::string& text) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    const bool escapes = std::ranges::any_of(text, isControl);
    std::string out = escapes ? "$'" : "'";
    for (const char c : text) {
        if (isControl(c)) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
        } else if (c == '\'') {
            out += escapes ? "\\'" : "'\\''";
        } else {
            out += escapes && c == '\\' ? "\\\\" : std::string(1, c);
        }
    }
    return out + "'";
}

std::string adviceOnMissingPoses(const fs::path& path) {
    const auto p = preparationFor(path);
    if (!p) return {};
    std::string text = fmt::format("\n  It has no camera poses ({}). COLMAP finds them; on Debian or Ubuntu:", p->found);
    const auto add = [&](const std::string& command) { text += "\n    " + command; };
    add("sudo apt install " + p->packages);
    for (const std::string& command : p->commands) add(command);
    add(fmt::format("colmap automatic_reconstructor --workspace_path {} --image_path {} --dense 0 --use_gpu 0{}", quoted(p->dataset),
                    quoted(p->dataset / "images"), p->options));
    add(fmt::format("{} train {} -o run", programName(), quoted(p->dataset)));
    return text;
}

}  // namespace splat
