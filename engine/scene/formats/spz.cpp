#include <splatwright/scene/formats/spz.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>
#include <utility>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/files/byte_reader.h>
#include <splatwright/scene/files/gzip.h>
#include <splatwright/scene/files/zstd.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/spz_layout.h>
#include <splatwright/scene/formats/spz_packed.h>
#include <splatwright/scene/formats/spz_writer.h>
#include <splatwright/scene/gaussians/model_transform.h>

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

/// A whole file, decompressed.
struct Content {
    SpzHeader header;
    std::vector<std::byte> splats;
    std::vector<std::byte> extensions;
};

template <class Value>
void requireRange(const fs::path& path, const char* property, Value found, Value least, Value most) {
    if (least <= found && found <= most) return;
    throw InputError("{}: {} is {}, expected {} to {}", path.string(), property, found, least, most);
}

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
    const auto bytesEach = spzBytesEach(header);
    const uint64_t splatBytes = std::accumulate(bytesEach.begin(), bytesEach.end(), uint64_t{0});
    const uint64_t most = std::max(fileBytes * kMostInflation, kHarmlessBytes) / splatBytes;
    if (header.count <= most) return;
    throw InputError("{}: the number of splats is {}, expected at most {} (damaged or truncated: {} bytes in total)", path.string(),
                     header.count, most, fileBytes);
}

Content readGzip(const fs::path& path, std::span<const std::byte> bytes) {
    GzipReader gzip(path, bytes);
    SpzGzipHeader fileHeader;
    std::memcpy(&fileHeader, gzip.read(sizeof fileHeader, "the header").data(), sizeof fileHeader);
    if (std::string_view(fileHeader.signature.data(), fileHeader.signature.size()) != kSpzSignature) {
        throw InputError("{}: not an SPZ file in gzip, expected content that starts with '{}'", path.string(), kSpzSignature);
    }
    requireRange<uint32_t>(path, "the version of SPZ in gzip", fileHeader.version, 1, kSpzLastInGzip);
    const SpzHeader header = checked(path, fileHeader);
    const auto bytesEach = spzBytesEach(header);
    const size_t splatBytes = std::accumulate(bytesEach.begin(), bytesEach.end(), size_t{0});
    requireCount(path, header, bytes.size());
    Content content{.header = header, .splats = gzip.read(header.count * splatBytes, "the splats"), .extensions = {}};
    content.extensions = gzip.readRest(kMaxExtensionBytes);
    return content;
}

/// The table of contents and the frames after it.
std::vector<std::byte> readStreams(const fs::path& path, ByteReader& reader, std::span<const std::byte> bytes, const SpzHeader& header,
                                   size_t streams) {
    const auto bytesEach = spzBytesEach(header);
    std::vector<SpzStreamSize> sizes(streams);
    for (SpzStreamSize& size : sizes) size = reader.read<SpzStreamSize>("the table of contents");
    std::vector<std::byte> splats;
    for (size_t b = 0; b < streams; ++b) {
        const size_t expected = header.count * bytesEach[b];
        if (sizes[b].uncompressed != expected) {
            throw InputError("{}: {} have {} bytes, expected {}", path.string(), kBlockNames[b], sizes[b].uncompressed, expected);
        }
        const auto frame = bytes.subspan(bytes.size() - reader.left());
        reader.skip(sizes[b].compressed, kBlockNames[b]);
        unpackZstd(path, frame.first(sizes[b].compressed), expected, kBlockNames[b], splats);
    }
    return splats;
}

Content readZstd(const fs::path& path, std::span<const std::byte> bytes) {
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
            .splats = readStreams(path, reader, bytes, header, fileHeader.streams),
            .extensions = {extensions.begin(), extensions.end()}};
}

Gaussians unpack(const SpzPacked& packed) {
    constexpr size_t kSlice = 4096;  // splats per thread and step
    const size_t count = packed.header().count;
    Gaussians gaussians;
    gaussians.resize(count, std::min(packed.header().shDegree, kMaxShDegree));
    gaussians.antialiased = packed.header().flags & SpzHeader::kAntialiased;
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    parallelEach(count, kSlice, [&](size_t i) {
        gaussians.means[i] = packed.position(i);
        gaussians.rotations[i] = packed.rotation(i);
        gaussians.logScales[i] = packed.logScale(i);
        gaussians.logitOpacities[i] = packed.logitOpacity(i);
        glm::vec3* sh = &gaussians.sh[i * coefficients];
        sh[0] = packed.dc(i);
        for (size_t k = 1; k < coefficients; ++k) sh[k] = packed.higher(i, k);
    });
    return gaussians;
}

// Coordinate systems by their axes: Left or Right, Down or Up, Back or Front, numbered 1 to 8 in this order. 9 to 16 are the same, rotated by
// a quarter turn about x that maps down to front.
constexpr uint32_t kCoordinateSystemExtension = 0xadbe0003;
constexpr uint32_t kRightUpBack = 4, kLastUnturned = 8, kLastSystem = 16;

/// The coordinate system of the extensions, or the format's default.
uint32_t coordinateSystemOf(const fs::path& path, std::span<const std::byte> extensions) {
    uint32_t system = kRightUpBack;
    ByteReader reader(path, extensions);
    while (reader.left() > 0) {
        const auto type = reader.read<uint32_t>("an extension's type");
        size_t unread = reader.read<uint32_t>("an extension's length");
        if (type == kCoordinateSystemExtension && unread >= sizeof system) {
            system = reader.read<uint32_t>("the coordinate system");
            requireRange<uint32_t>(path, "the coordinate system (1: LDB to 16: RBU)", system, 1, kLastSystem);
            unread -= sizeof system;
        }
        reader.skip(unread, "an extension");
    }
    return system;
}

template <uint32_t version, int firstBits = 5, int furtherBits = 4>
void write(const fs::path& path, const Gaussians& gaussians) {
    checkWritable(path);  // packing takes a while
    writeFileAtomically(path, encodeSpz(path, gaussians, {.version = version, .firstBits = firstBits, .furtherBits = furtherBits}));
}

constexpr SplatWriter kWriters[] = {
    {"spz", "version 3: 24-bit positions, 8 bits for the rest, 5 and 4 for view-dependent colour; most programs read it", write<3>},
    {"spz-v1", "version 1: 16-bit floats for positions, coarse rotations; for the first programs", write<1>},
    {"spz-v2", "version 2: coarse rotations; for older programs", write<2>},
    {"spz-v4", "version 4: as version 3, compressed with zstd; for new programs", write<4>},
    {"spz-8bit", "version 3 with 8 bits for view-dependent colour: larger files", write<3, 8, 8>},
};

Gaussians read(const fs::path& path) { return decodeSpz(path, readFile(path)); }

bool recognises(std::string_view head) { return head.starts_with(kGzipSignature) || head.starts_with(kSpzSignature); }

}  // namespace

Gaussians decodeSpz(const fs::path& path, std::span<const std::byte> bytes) {
    const bool plain = std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(kSpzSignature);
    Content content = plain ? readZstd(path, bytes) : readGzip(path, bytes);
    if (!(content.header.flags & SpzHeader::kHasExtensions)) content.extensions.clear();  // these bytes are unused
    uint32_t system = coordinateSystemOf(path, content.extensions);
    Gaussians gaussians = unpack(SpzPacked(content.header, std::move(content.splats)));
    requireFinite(path, gaussians);
    if (content.header.shDegree > kMaxShDegree) {
        spdlog::warn("{}: SH degree {}, read up to {}", path.string(), content.header.shDegree, kMaxShDegree);
    }
    // To the axes of a PLY: right, down, front.
    if (system > kLastUnturned) {
        const double half = std::numbers::pi / 4;  // half the angle of the quarter turn that maps z to y and y to -z
        gaussians = transformed(std::move(gaussians), {.rotation = {std::cos(half), -std::sin(half), 0, 0}});
        system -= kLastUnturned;
    }
    const uint32_t bits = system - 1;
    flipAxes(gaussians, {bits & 1u ? 1 : -1, bits & 2u ? -1 : 1, bits & 4u ? 1 : -1});
    return gaussians;
}

extern const SplatFormat kSpzFormat{
    .name = "SPZ",
    .extension = ".spz",
    .help = "Niantic's compressed splats, versions 1 to 4",
    .recognises = recognises,
    .read = read,
    .writers = kWriters,
};

}  // namespace splat
