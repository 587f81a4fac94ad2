#include <splatwright/core/tools.h>

#include <algorithm>
#include <iterator>

#include <splatwright/core/child_process.h>
#include <splatwright/core/error.h>

namespace splat {

namespace fs = std::filesystem;

namespace {

/// Where a program comes from, per system.
struct Tool {
    std::string_view name, debian, homebrew, windows;
};

constexpr Tool kTools[]{
    // winget has no package of COLMAP; its releases have archives for Windows.
    {"colmap", "sudo apt-get install colmap", "brew install colmap", "https://github.com/colmap/colmap/releases"},
    {"glomap", "build it: https://github.com/colmap/glomap", "build it", "https://github.com/colmap/glomap/releases"},
    {"ffmpeg", "sudo apt-get install ffmpeg", "brew install ffmpeg", "winget install Gyan.FFmpeg"},
    {"ffprobe", "sudo apt-get install ffmpeg", "brew install ffmpeg", "winget install Gyan.FFmpeg"},
};

}  // namespace

fs::path requireTool(std::string_view name, const fs::path& given) {
    if (!given.empty()) {
        const std::string text = given.string();
        const fs::path found = findProgram(text);
        if (found.empty()) throw InputError("{}: is not a program, expected the path of {}", text, name);
        return found;
    }
    const fs::path found = findProgram(std::string(name));
    if (!found.empty()) return found;
    const auto* tool = std::ranges::find(kTools, name, &Tool::name);
    SPLAT_CHECK(tool != std::end(kTools), "no tool is called '{}'", name);
    throw Error("{}: not found on the PATH. To install it:\n  Debian, Ubuntu: {}\n  Homebrew: {}\n  Windows: {}", name, tool->debian,
                tool->homebrew, tool->windows);
}

}  // namespace splat
