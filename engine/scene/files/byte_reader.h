#pragma once

#include <bit>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <splatwright/core/error.h>

namespace splat {

static_assert(std::endian::native == std::endian::little, "the readers of binary files copy little-endian numbers as they are");

/// The value whose bytes start there, at any alignment.
template <class T>
T valueAt(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Reads a binary file in memory. Every read past the end throws InputError with the property's name.
class ByteReader {
public:
    ByteReader(const std::filesystem::path& path, std::span<const std::byte> bytes) : path_(path), bytes_(bytes) {}

    template <class T>
    T read(const char* property) {
        return valueAt<T>(take(sizeof(T), property).data());
    }

    /// A 64-bit count of items with a minimum size in bytes. Throws InputError for a count that the rest of the file cannot hold, before anything
    /// is allocated.
    uint64_t readCount(const char* property, size_t bytesEach) {
        const uint64_t count = read<uint64_t>(property);
        if (count > bytes_.size() / bytesEach) {
            throw InputError("{}: {} is {}, expected at most {} (damaged or truncated: {} bytes are left)", path_.string(), property, count,
                             bytes_.size() / bytesEach, bytes_.size());
        }
        return count;
    }

    template <class T>
    std::vector<T> readValues(size_t count, const char* property) {
        const auto from = take(count * sizeof(T), property);  // before anything is allocated
        std::vector<T> values(count);
        if (count > 0) std::memcpy(values.data(), from.data(), from.size());
        return values;
    }

    /// They live as long as the file in memory.
    std::span<const std::byte> readBytes(size_t count, const char* property) { return take(count, property); }

    /// Up to the next zero byte.
    std::string readString(const char* property) {
        const auto* start = reinterpret_cast<const char*>(bytes_.data());
        const size_t length = strnlen(start, bytes_.size());
        take(length + 1, property);
        return {start, length};
    }

    /// Skips items counted by readCount().
    void skip(size_t count, const char* property) { take(count, property); }

    /// Bytes to the end of the file.
    size_t left() const { return bytes_.size(); }

private:
    std::span<const std::byte> take(size_t count, const char* property) {
        if (count > bytes_.size()) {
            throw InputError("{}: ends while reading {}: found {} bytes, expected {}", path_.string(), property, bytes_.size(), count);
        }
        const auto taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }

    const std::filesystem::path& path_;
    std::span<const std::byte> bytes_;
};

}  // namespace splat
