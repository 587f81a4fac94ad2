#include <splatwright/scene/formats/spz_writer.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include <splatwright/core/threads.h>
#include <splatwright/scene/files/gzip.h>
#include <splatwright/scene/files/zstd.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/spz_layout.h>
#include <splatwright/scene/formats/spz_packing.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

/// Both versions of the header have these fields.
template <class FileHeader>
FileHeader fileHeader(const SpzHeader& header) {
    FileHeader file{};
    std::ranges::copy(kSpzSignature, file.signature.begin());
    file.version = header.version;
    file.count = header.count;
    file.shDegree = static_cast<uint8_t>(header.shDegree);
    file.fractionalBits = static_cast<uint8_t>(header.fractionalBits);
    file.flags = header.flags;
    return file;
}

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

std::vector<std::byte> inGzip(SpzPacking packing) {
    const auto start = fileHeader<SpzGzipHeader>(packing.header);
    std::memcpy(packing.bytes.span().data(), &start, sizeof start);
    std::vector<size_t> sections{sizeof start};
    for (const size_t bytesEach : spzBytesEach(packing.header)) sections.push_back(packing.header.count * bytesEach);
    return packGzip(packing.bytes.span(), sections);
}

/// Far or short matches in what is mostly noise take more bits than their bytes; whether a block is, its bytes do not say.
std::vector<ZstdSearch> searchesFor(SpzBlock which) {
    if (which == SpzBlock::higher) return {{.windowBits = 0, .leastMatch = 6}};
    const int leastMatch = which == SpzBlock::positions ? 0 : 6;  // three numbers of three bytes, of which the highest are often alike
    return {{}, {.windowBits = 15, .leastMatch = leastMatch}};
}

/// The reference's level 12 takes up to 2 % more bytes for coefficients than level 10 with the right search, and twice as long. Level 19 takes up to 3 %
/// less and a hundred times as long, which does not matter for small blocks.
std::vector<std::byte> shortestFrame(SpzBlock which, std::span<const std::byte> block) {
    constexpr size_t kSmall = size_t{1} << 18U;
    std::vector<int> levels{10};
    if (block.size() <= kSmall) levels.push_back(19);
    std::vector<std::byte> shortest;
    for (const int level : levels) {
        for (const ZstdSearch& search : searchesFor(which)) {
            std::vector<std::byte> frame = packZstdInParallel(block, level, search);
            if (shortest.empty() || frame.size() < shortest.size()) shortest = std::move(frame);
        }
    }
    return shortest;
}

std::vector<std::byte> inZstd(const SpzPacking& packing) {
    const SpzHeader& header = packing.header;
    const auto bytesEach = spzBytesEach(header);
    std::vector<std::span<const std::byte>> blocks;
    for (auto rest = packing.splats(); !rest.empty(); rest = rest.subspan(blocks.back().size()))
        blocks.push_back(rest.first(header.count * bytesEach[blocks.size()]));
    std::vector<std::vector<std::byte>> frames(blocks.size());
    // zstd's own threads share large blocks only.
    parallelFor(blocks.size(), [&](size_t b) { frames[b] = shortestFrame(static_cast<SpzBlock>(b), blocks[b]); });
    std::vector<SpzStreamSize> sizes;
    for (size_t b = 0; b < blocks.size(); ++b) sizes.push_back({frames[b].size(), blocks[b].size()});
    auto start = fileHeader<SpzPlainHeader>(header);
    start.streams = static_cast<uint8_t>(sizes.size());
    start.contentsOffset = sizeof start;
    std::vector<std::byte> file;
    append(file, std::as_bytes(std::span(&start, 1)));
    append(file, std::as_bytes(std::span(sizes)));
    for (const auto& frame : frames) append(file, frame);
    return file;
}

}  // namespace

std::vector<std::byte> encodeSpz(const fs::path& path, const SplatBlocks& blocks, const SpzEncoding& encoding) {
    requireSplats(path, blocks.count());
    SpzPacking packing = packSpz(path, blocks, encoding);
    return packing.header.version <= kSpzLastInGzip ? inGzip(std::move(packing)) : inZstd(packing);
}

}  // namespace splat
