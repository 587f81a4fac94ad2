#include <splatwright/scene/datasets/missing_poses.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

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

/// Regular files of a folder with one of these extensions, sorted; none if the folder cannot be read.
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

/// What can be prepared, as "30 photographs" or "a video".
struct Contents {
    fs::path path;
    std::string what;
};

/// A path that no option of this program is spelt like.
std::string asArgument(const fs::path& path) {
    const std::string text = path.string();
    return shellQuoted(text.starts_with('-') ? "./" + text : text);
}

std::optional<Contents> contentsOf(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return hasEnding(path, kVideos) ? std::optional(Contents{path, "a video"}) : std::nullopt;
    for (const fs::path& folder : {path / "images", path}) {
        const size_t count = filesIn(folder, kImages).size();
        if (count > 0) return Contents{path, fmt::format("{} photograph{}", count, count == 1 ? "" : "s")};
    }
    const auto videos = filesIn(path, kVideos);
    return videos.empty() ? std::nullopt : std::optional(Contents{videos.front(), "a video"});
}

/// Command line that starts this program.
std::string programName() {
    constexpr const char* kName = "splatwright";
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return !failed && self.filename() == kName ? shellQuoted(self.string()) : kName;
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
    const auto contents = contentsOf(path);
    if (!contents) return {};
    return fmt::format("\n  It has no camera poses ({}). To find them with COLMAP, and train:\n    {} train {} -o run --prepare",
                       contents->what, programName(), asArgument(contents->path));
}

}  // namespace splat
