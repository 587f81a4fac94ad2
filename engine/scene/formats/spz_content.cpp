#include <splatwright/scene/formats/spz_content.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <splatwright/core/error.h>
#include <splatwright/core/memory.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/files/byte_reader.h>
#include <splatwright/scene/files/gzip.h>
#include <splatwright/scene/files/require_range.h>
#include <splatwright/scene/files/zstd.h>
#include <splatwright/scene/formats/spz_layout.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kMaxCount = 2147483647;  // the library counts in int
constexpr int kMaxFileDegree = 4;
constexpr size_t kMaxExtensionBytes = size_t{1} << 20u;  // known extensions have a few dozen
// Real scenes compress by 2 to 4, and by at most 20 if all higher coefficients are zero. Larger factors than 64 are accepted for small results
// only, against decompression bombs.
constexpr uint64_t kMostInflation = 64, kHarmlessBytes = uint64_t{1} << 20u;
constexpr std::array<const char*, kSpzBlocks> kBlockNames{"positions", "opacities", "colours",
                                                          "scales",    "rotations", "higher coefficients"};

/// Both headers have the same fields at different offsets.
template <class FileHeader>
SpzHeader checked(const fs::path& path, const FileHeader& h) {
    requireRange<uint32_t>(path, "the number of splats", h.count, 1, kMaxCount);
    requireRange<int>(path, "the SH degree", h.shDegree, 0, kMaxFileDegree);
    if (h.version > 1) requireRange<int>(path, "the number of fractional bits", h.fractionalBits, 0, kSpzMaxFractionalBits);
    return {.version = h.version, .count = h.count, .shDegree = h.shDegree, .fractionalBits = h.fractionalBits, .flags = h.flags};
}

/// Throws InputError if the file is too small for its number of splats, before anything is decompressed.
void requireCount(const fs::path& path, const SpzHeader& header, size_t fileBytes) {
    const uint64_t most = std::max(fileBytes * kMostInflation, kHarmlessBytes) / spzBytesOfSplat(header);
    if (header.count <= most) return;
    throw InputError("{}: the number of splats is {}, expected at most {} (damaged or truncated: {} bytes in total)", path.string(),
                     header.count, most, fileBytes);
}

SpzContent readGzip(const fs::path& path, std::span<const std::byte> bytes) {
    GzipReader gzip(path, bytes);
    SpzGzipHeader fileHeader;
    gzip.read(std::as_writable_bytes(std::span(&fileHeader, 1)), "the header");
    if (std::string_view(fileHeader.signature.data(), fileHeader.signature.size()) != kSpzSignature) {
        throw InputError("{}: not an SPZ file in gzip, expected content that starts with '{}'", path.string(), kSpzSignature);
    }
    requireRange<uint32_t>(path, "the version of SPZ in gzip", fileHeader.version, 1, kSpzLastInGzip);
    const SpzHeader header = checked(path, fileHeader);
    requireCount(path, header, bytes.size());
    constexpr size_t kStart = sizeof fileHeader;
    const size_t end = kStart + header.count * spzBytesOfSplat(header);
    SpzContent content{.header = header, .bytes = UnfilledBytes(end + kMaxExtensionBytes), .start = kStart, .extensions = {}};
    const std::span<std::byte> all = content.bytes.span();
    const std::optional<size_t> size = inflateAtOnce(bytes, all);
    if (size && *size >= end) {
        const auto extensions = all.subspan(end, *size - end);
        content.extensions.assign(extensions.begin(), extensions.end());
    } else {  // step by step, to say what is wrong
        gzip.read(all.subspan(kStart, end - kStart), "the splats");
        content.extensions = gzip.readRest(kMaxExtensionBytes);
    }
    return content;
}

/// The table of contents and the frames after it.
UnfilledBytes readStreams(const fs::path& path, ByteReader& reader, std::span<const std::byte> bytes, const SpzHeader& header,
                          size_t streams) {
    struct Stream {
        const char* name;
        std::span<const std::byte> frame;
        std::span<std::byte> to;
    };
    const auto bytesEach = spzBytesEach(header);
    std::vector<SpzStreamSize> sizes(streams);
    for (SpzStreamSize& size : sizes) size = reader.read<SpzStreamSize>("the table of contents");
    UnfilledBytes splats(header.count * spzBytesOfSplat(header));
    std::vector<Stream> all;
    for (size_t b = 0, start = 0; b < streams; start += header.count * bytesEach[b++]) {
        const size_t expected = header.count * bytesEach[b];
        if (sizes[b].uncompressed != expected) {
            throw InputError("{}: {} have {} bytes, expected {}", path.string(), kBlockNames[b], sizes[b].uncompressed, expected);
        }
        const auto rest = bytes.subspan(bytes.size() - reader.left());
        reader.skip(sizes[b].compressed, kBlockNames[b]);
        all.push_back({kBlockNames[b], rest.first(sizes[b].compressed), splats.span().subspan(start, expected)});
    }
    parallelFor(streams, [&](size_t b) { unpackZstd(path, all[b].frame, all[b].to, all[b].name); });
    return splats;
}

SpzContent readZstd(const fs::path& path, std::span<const std::byte> bytes) {
    ByteReader reader(path, bytes);
    const auto fileHeader = reader.read<SpzPlainHeader>("the header");
    requireRange<uint32_t>(path, "the version of SPZ without gzip", fileHeader.version, kSpzInZstd, kSpzInZstd);
    const SpzHeader header = checked(path, fileHeader);
    requireCount(path, header, bytes.size());
    const int streams = header.shDegree > 0 ? kSpzBlocks : kSpzBlocks - 1;
    requireRange<int>(path, "the number of streams", fileHeader.streams, streams, streams);
    requireRange<size_t>(path, "the offset of the table of contents", fileHeader.contentsOffset, sizeof fileHeader, bytes.size());
    const auto extensions = bytes.subspan(sizeof fileHeader, fileHeader.contentsOffset - sizeof fileHeader);
    requireRange<size_t>(path, "the length of the extensions", extensions.size(), 0, kMaxExtensionBytes);
    reader.skip(extensions.size(), "the extensions");
    return {.header = header,
            .bytes = readStreams(path, reader, bytes, header, fileHeader.streams),
            .start = 0,
            .extensions = {extensions.begin(), extensions.end()}};
}

}  // namespace

SpzContent unpackSpz(const fs::path& path, std::span<const std::byte> bytes) {
    const bool plain = std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(kSpzSignature);
    SpzContent content = plain ? readZstd(path, bytes) : readGzip(path, bytes);
    if (!(content.header.flags & SpzHeader::kHasExtensions)) content.extensions.clear();  // these bytes are unused
    return content;
}

}  // namespace splat
