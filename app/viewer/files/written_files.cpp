#include "viewer/files/written_files.h"

#include <algorithm>
#include <cctype>
#include <string>

#include <splatwright/core/error.h>

namespace splat::app {

namespace {

std::string lowerCase(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

bool endsIn(const std::filesystem::path& path, std::string_view ending) {
    const std::string name = lowerCase(path.filename().string());
    return name.ends_with(ending) && (ending != ".ply" || !name.ends_with(".compressed.ply"));
}

void expectEnding(const std::filesystem::path& path, const WrittenFile& file) {
    if (endsIn(path, file.ending)) return;
    throw InputError("{}: cannot be written: found a name that does not end in {}, expected one that does: {}", path.string(), file.ending,
                     file.what);
}

bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code isAbsent;
    return std::filesystem::equivalent(a, b, isAbsent);
}

}  // namespace splat::app
