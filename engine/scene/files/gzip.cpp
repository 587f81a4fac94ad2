#include <splatwright/scene/files/gzip.h>

#include <algorithm>

#include <splatwright/core/error.h>

namespace splat {
namespace {

constexpr int kGzipOnly = 16;                     // added to zlib's window bits: accept gzip headers only
constexpr size_t kStep = size_t{1} << 30u;        // zlib has 32-bit counters
constexpr size_t kFirstBytes = size_t{1} << 16u;  // first allocation; doubles as needed

}  // namespace

GzipReader::GzipReader(const std::filesystem::path& path, std::span<const std::byte> bytes) : path_(path), bytes_(bytes) {
    const int result = inflateInit2(&stream_, MAX_WBITS + kGzipOnly);
    if (result != Z_OK) throw Error("{}: cannot initialise zlib: {}", path.string(), zError(result));
}

GzipReader::~GzipReader() { inflateEnd(&stream_); }

std::vector<std::byte> GzipReader::read(size_t count, const char* property) {
    std::vector<std::byte> bytes = readUpTo(count);
    if (bytes.size() == count) return bytes;
    throw InputError("{}: ends while reading {}: found {} bytes, expected {}", path_.string(), property, bytes.size(), count);
}

std::vector<std::byte> GzipReader::readRest(size_t limit) {
    std::vector<std::byte> bytes = readUpTo(limit + 1);
    if (bytes.size() <= limit) return bytes;
    throw InputError("{}: too many bytes after the last property, expected at most {}", path_.string(), limit);
}

std::vector<std::byte> GzipReader::readUpTo(size_t count) {
    std::vector<std::byte> bytes;
    while (bytes.size() < count && !ended_) {
        const size_t before = bytes.size();
        bytes.resize(std::min(count, std::max(kFirstBytes, 2 * before)));
        bytes.resize(before + inflateInto(std::span(bytes).subspan(before)));
    }
    return bytes;
}

/// Fills the span, or less if the stream ends. Returns the number of bytes.
size_t GzipReader::inflateInto(std::span<std::byte> out) {
    size_t done = 0;
    while (done < out.size() && !ended_) {
        if (stream_.avail_in == 0) {
            const auto next = bytes_.first(std::min(kStep, bytes_.size()));
            bytes_ = bytes_.subspan(next.size());
            stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(next.data()));  // zlib only reads it
            stream_.avail_in = static_cast<uInt>(next.size());
        }
        const auto room = static_cast<uInt>(std::min(kStep, out.size() - done));
        stream_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
        stream_.avail_out = room;
        const int result = inflate(&stream_, Z_NO_FLUSH);
        done += room - stream_.avail_out;
        if (result == Z_BUF_ERROR) throw InputError("{}: the gzip stream is truncated", path_.string());
        if (result != Z_OK && result != Z_STREAM_END) {
            throw InputError("{}: the gzip stream is damaged: {}", path_.string(), stream_.msg ? stream_.msg : zError(result));
        }
        ended_ = result == Z_STREAM_END;
    }
    return done;
}

}  // namespace splat
