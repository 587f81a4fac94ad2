#include <splatwright/scene/files/gzip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#ifdef SPLAT_HAS_DEFLATE
#include <libdeflate.h>
#endif

#include <splatwright/core/error.h>
#include <splatwright/core/memory.h>
#include <splatwright/core/threads.h>

namespace splat {
namespace {

constexpr size_t kStep = size_t{1} << 30u;  // zlib has 32-bit counters

// Compression: blocks are deflated independently, but for the window of bytes before them, and end on whole bytes, so that they can be joined.
constexpr size_t kBlockBytes = size_t{1} << 20u, kWindowBytes = size_t{1} << 15u;
constexpr int kLevel = 6, kMemoryLevel = 8;  // with more memory, codes change less often, which takes 1 % more bytes

Bytef* zlibBytes(const std::byte* bytes) { return reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes)); }  // zlib only reads them

/// Deflates all[start, start + count); matches may lie in the window before. `flush` ends the block, or the stream.
std::vector<std::byte> deflated(std::span<const std::byte> all, size_t start, size_t count, int strategy, int flush) {
    constexpr size_t kFlushBytes = 16;
    z_stream stream{};
    const int result = deflateInit2(&stream, kLevel, Z_DEFLATED, -MAX_WBITS, kMemoryLevel, strategy);
    if (result != Z_OK) throw Error("cannot initialise zlib: {}", zError(result));
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, deflateEnd);
    const size_t window = std::min(start, kWindowBytes);
    if (window > 0) deflateSetDictionary(&stream, zlibBytes(all.data() + start - window), static_cast<uInt>(window));
    std::vector<std::byte> bytes(deflateBound(&stream, static_cast<uInt>(count)) + kFlushBytes);
    stream.next_in = zlibBytes(all.data() + start);
    stream.avail_in = static_cast<uInt>(count);
    stream.next_out = zlibBytes(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    deflate(&stream, flush);
    SPLAT_CHECK(stream.avail_in == 0 && stream.avail_out > 0, "{} bytes left of {}", stream.avail_in, count);
    bytes.resize(bytes.size() - stream.avail_out);
    return bytes;
}

/// Looking for matches takes most of the time. In noise it finds few, and codes for these make those of the bytes longer, so that a sample of the
/// block tells what is best.
int strategyFor(std::span<const std::byte> block) {
    const size_t size = std::min(block.size(), kWindowBytes);
    const auto sample = block.subspan((block.size() - size) / 2, size);
    const auto bytesWith = [&](int strategy) { return deflated(sample, 0, size, strategy, Z_FINISH).size(); };
    return std::ranges::min({Z_HUFFMAN_ONLY, Z_RLE, Z_DEFAULT_STRATEGY}, {}, bytesWith);
}

/// Where blocks start, and the end: of sections that are large enough for codes of their own, or of several.
std::vector<size_t> boundsOf(std::span<const size_t> sections) {
    constexpr size_t kLeast = kBlockBytes / 16;
    std::vector<size_t> bounds{0};
    size_t end = 0;
    for (size_t i = 0; i < sections.size(); ++i) {
        end += sections[i];
        if (end - bounds.back() < kLeast && i + 1 < sections.size()) continue;
        while (bounds.back() + kBlockBytes < end) bounds.push_back(bounds.back() + kBlockBytes);
        bounds.push_back(end);
    }
    return bounds;
}

}  // namespace

std::vector<std::byte> packGzip(std::span<const std::byte> bytes, std::span<const size_t> sections) {
    struct Block {
        size_t size;
        std::vector<std::byte> deflated;
        uLong checksum;
    };
    const std::vector<size_t> bounds = boundsOf(sections);
    SPLAT_CHECK(bounds.back() == bytes.size(), "sections of {} bytes, expected {}", bounds.back(), bytes.size());
    std::vector<Block> blocks(bounds.size() - 1);
    parallelFor(blocks.size(), [&](size_t b) {
        const size_t start = bounds[b], size = bounds[b + 1] - start;
        const int flush = b + 1 == blocks.size() ? Z_FINISH : Z_SYNC_FLUSH;
        blocks[b] = {.size = size,
                     .deflated = deflated(bytes, start, size, strategyFor(bytes.subspan(start, size)), flush),
                     .checksum = crc32_z(0, zlibBytes(bytes.data() + start), size)};
    });
    // Neither a name nor a time of change: the same bytes give the same member.
    constexpr std::array<uint8_t, 10> kHeader{0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 0, 3};
    std::vector<std::byte> member(kHeader.size());
    std::memcpy(member.data(), kHeader.data(), kHeader.size());
    uLong checksum = crc32_z(0, nullptr, 0);
    for (const Block& block : blocks) {
        member.insert(member.end(), block.deflated.begin(), block.deflated.end());
        checksum = crc32_combine(checksum, block.checksum, static_cast<z_off_t>(block.size));
    }
    const std::array<uint32_t, 2> trailer{static_cast<uint32_t>(checksum), static_cast<uint32_t>(bytes.size())};
    const auto end = std::as_bytes(std::span(trailer));
    member.insert(member.end(), end.begin(), end.end());
    return member;
}

#ifdef SPLAT_HAS_DEFLATE

std::optional<size_t> inflateAtOnce(std::span<const std::byte> member, std::span<std::byte> to) {
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(libdeflate_alloc_decompressor(),
                                                                                                libdeflate_free_decompressor);
    if (!inflater) throw Error("cannot initialise libdeflate");
    size_t taken = 0, size = 0;  // bytes after the first member are not looked at
    const libdeflate_result result =
        libdeflate_gzip_decompress_ex(inflater.get(), member.data(), member.size(), to.data(), to.size(), &taken, &size);
    return result == LIBDEFLATE_SUCCESS ? std::optional(size) : std::nullopt;
}

#else

std::optional<size_t> inflateAtOnce(std::span<const std::byte> /*member*/, std::span<std::byte> /*to*/) { return std::nullopt; }

#endif

GzipReader::GzipReader(const std::filesystem::path& path, std::span<const std::byte> bytes) : path_(path), bytes_(bytes) {
    constexpr int kGzipOnly = 16;  // added to the window bits
    if (const int result = inflateInit2(&stream_, MAX_WBITS + kGzipOnly); result != Z_OK)
        throw Error("cannot initialise zlib: {}", zError(result));
}

GzipReader::~GzipReader() { inflateEnd(&stream_); }

void GzipReader::read(std::span<std::byte> to, const char* property) {
    const size_t found = readUpTo(to);
    if (found == to.size()) return;
    throw InputError("{}: ends while reading {}: found {} bytes, expected {}", path_.string(), property, found, to.size());
}

std::vector<std::byte> GzipReader::readRest(size_t limit) {
    UnfilledBytes bytes(limit + 1);
    const size_t found = readUpTo(bytes.span());
    if (found > limit) throw InputError("{}: too many bytes after the last property, expected at most {}", path_.string(), limit);
    return {bytes.span().begin(), bytes.span().begin() + static_cast<std::ptrdiff_t>(found)};
}

/// Fills the span, or less if the stream ends. Returns the number of bytes.
size_t GzipReader::readUpTo(std::span<std::byte> to) {
    std::span<std::byte> rest = to;
    while (!rest.empty() && !ended_) {
        stream_.next_in = zlibBytes(bytes_.data());
        stream_.next_out = zlibBytes(rest.data());
        stream_.avail_in = static_cast<uInt>(std::min(kStep, bytes_.size()));
        stream_.avail_out = static_cast<uInt>(std::min(kStep, rest.size()));
        const size_t in = stream_.avail_in, out = stream_.avail_out;
        const int result = inflate(&stream_, Z_NO_FLUSH);
        bytes_ = bytes_.subspan(in - stream_.avail_in), rest = rest.subspan(out - stream_.avail_out);
        ended_ = result == Z_STREAM_END;
        const bool inOrder = ended_ || result == Z_OK || result == Z_BUF_ERROR;  // the last of them: no progress
        if (!inOrder) throw InputError("{}: the gzip stream is damaged: {}", path_.string(), stream_.msg ? stream_.msg : zError(result));
        const bool starved = in == 0 && stream_.avail_out == out;
        if (starved && !ended_) throw InputError("{}: the gzip stream is truncated", path_.string());
    }
    return to.size() - rest.size();
}

}  // namespace splat
