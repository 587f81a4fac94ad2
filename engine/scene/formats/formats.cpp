#include <splatwright/scene/formats/formats.h>

#include <algorithm>

#include <fmt/ranges.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/table.h>

namespace splat {

// A compressed PLY has the signature and extension of a PLY, so it is tried first; an archive of OpenUSD has that of SOG's archives.
// COLMAP's binary points have no signature and come last.
SPLAT_TABLE(SplatFormat, kFormats, kCompressedPlyFormat, kPlyFormat, kSpzFormat, kSplatFormat, kKsplatFormat, kUsdaFormat, kSogFormat,
            kGlbFormat, kGltfFormat, kPageFormat, kBlobsFormat, kColmapTextPointsFormat, kColmapPointsFormat);

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

/// The first format with the path's extension; null if there is none.
const SplatFormat* formatByExtension(const fs::path& path) {
    const std::string name = lowerCase(path.filename().string());
    const auto found = std::ranges::find_if(kFormats, [&](const SplatFormat* format) { return name.ends_with(format->extension); });
    return found == std::end(kFormats) ? nullptr : *found;
}

const SplatFormat& formatOf(const fs::path& path) {
    const std::string head = readHead(path);
    for (const SplatFormat* format : kFormats) {
        if (format->recognises && format->recognises(head)) return *format;
    }
    if (const SplatFormat* format = formatByExtension(path)) return *format;
    std::string expected;
    for (const SplatFormat* format : kFormats) expected += fmt::format("\n  {} (*{}): {}", format->name, format->extension, format->help);
    throw InputError("{}: found neither the signature nor the extension of a splat file, expected one of{}", path.string(), expected);
}

/// The path itself, or the file in a folder that a format is read from.
fs::path fileOf(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return path;
    for (const SplatFormat* format : kFormats)
        for (const char* name : format->folderFiles)
            if (mayExist(path / name)) return path / name;
    return path;
}

/// A format's name as an option has it.
std::string optionName(std::string_view name) {
    std::string key = lowerCase(std::string(name));
    std::ranges::replace(key, ' ', '-');
    return key.starts_with('.') ? key.substr(1) : key;
}

}  // namespace

std::span<const SplatFormat* const> splatFormats() { return kFormats; }

std::string splatFormatNames() {
    std::vector<const char*> names;
    for (const SplatFormat* format : kFormats) names.push_back(format->name);
    return fmt::format("{}", fmt::join(names, ", "));
}

const SplatFormat& splatFormatByName(std::string_view name) {
    std::vector<std::string> names;
    for (const SplatFormat* format : kFormats) {
        names.push_back(optionName(format->name));
        if (names.back() == optionName(name)) return *format;
    }
    throw InputError("format is '{}', expected one of {}", name, fmt::join(names, ", "));
}

Gaussians readSplats(const fs::path& path) {
    const fs::path file = fileOf(path);
    return formatOf(file).read(file);
}

std::unique_ptr<SplatBlocks> openSplats(const fs::path& path) {
    const fs::path file = fileOf(path);
    const SplatFormat& format = formatOf(file);
    return format.open ? format.open(file) : nullptr;
}

std::vector<const SplatWriter*> splatWriters() {
    std::vector<const SplatWriter*> writers;
    for (const SplatFormat* format : kFormats)
        for (const SplatWriter& writer : format->writers) writers.push_back(&writer);
    return writers;
}

const SplatWriter& splatWriterOf(const fs::path& path) {
    for (const SplatWriter* writer : splatWriters())
        if (writer->fileName && path.filename() == writer->fileName) return *writer;
    const SplatFormat* format = formatByExtension(path);
    if (format && !format->writers.empty()) return format->writers.front();
    std::vector<std::string> written;
    for (const SplatFormat* row : kFormats) {
        if (!row->writers.empty()) written.push_back(fmt::format("{} (*{})", row->name, row->extension));
    }
    throw InputError("{}: found the extension of {}, expected that of {}", path.string(),
                     format ? fmt::format("{}, which is only read", format->name) : "no splat file", fmt::join(written, ", "));
}

const SplatWriter& splatWriterByName(std::string_view name) { return rowByName(splatWriters(), "format", name); }

const SplatFormat& splatFormatOf(const SplatWriter& writer) {
    const auto has = [&](const SplatFormat* format) {
        return std::ranges::any_of(format->writers, [&](const SplatWriter& row) { return &row == &writer; });
    };
    const auto found = std::ranges::find_if(kFormats, has);
    SPLAT_CHECK(found != std::end(kFormats), "no format has the writer {}", writer.name);
    return **found;
}

void writeSplats(const fs::path& path, const Gaussians& gaussians) { splatWriterOf(path).write(path, gaussians); }

}  // namespace splat
