#include <splatwright/scene/formats/formats.h>

#include <algorithm>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/table.h>

namespace splat {

// A compressed PLY has the signature and extension of a PLY, so it is tried first.
SPLAT_TABLE(SplatFormat, kFormats, kCompressedPlyFormat, kPlyFormat, kSpzFormat, kSplatFormat);

namespace {

namespace fs = std::filesystem;

constexpr size_t kHeadBytes = 65536;  // enough for the header of a PLY unless its comments are long

std::string readHead(const fs::path& path) {
    std::ifstream in = openInput(path);
    std::string head(kHeadBytes, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(in.gcount()));
    return head;
}

std::string lowerCase(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

const SplatFormat& formatOf(const fs::path& path) {
    const std::string head = readHead(path), name = lowerCase(path.filename().string());
    for (const SplatFormat* format : kFormats) {
        if (format->recognises && format->recognises(head)) return *format;
    }
    std::string expected;
    for (const SplatFormat* format : kFormats) {
        if (name.ends_with(format->extension)) return *format;
        expected += fmt::format("\n  {} (*{}): {}", format->name, format->extension, format->help);
    }
    throw InputError("{}: found neither the signature nor the extension of a splat file, expected one of{}", path.string(), expected);
}

}  // namespace

std::span<const SplatFormat* const> splatFormats() { return kFormats; }

std::string splatFormatNames() {
    std::vector<const char*> names;
    for (const SplatFormat* format : kFormats) names.push_back(format->name);
    return fmt::format("{}", fmt::join(names, ", "));
}

Gaussians readSplats(const fs::path& path) { return formatOf(path).read(path); }

}  // namespace splat
