#pragma once

#include <bit>
#include <string>

#include <zlib.h>

namespace splat::test {

inline std::string bytesOf(uint32_t number, size_t size, std::endian order) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(number >> 8 * (order == std::endian::little ? i : size - 1 - i));
    return bytes;
}

/// What an entry of EXIF says: a tag, a type (3: 16-bit number) and a number of values, of which the first follows.
struct ExifEntry {
    uint32_t tag, value, type = 3, count = 1;
};

constexpr uint32_t kOrientationTag = 0x0112;
constexpr size_t kBytesToOrientation = 8 + 2 + 12 + 10;  // of exifOf() up to the end of its value

/// A block of EXIF with one directory of two entries; this one is the second.
inline std::string exifOf(const ExifEntry& second, std::endian order) {
    const auto put = [&](uint32_t number, size_t size) { return bytesOf(number, size, order); };
    std::string block = (order == std::endian::little ? "II" : "MM") + put(42, 2) + put(8, 4) + put(2, 2);
    for (const ExifEntry& e : {ExifEntry{0x0103, 6}, second})
        block += put(e.tag, 2) + put(e.type, 2) + put(e.count, 4) + put(e.value, 2) + put(0, 2);
    return block + put(0, 4);
}

inline std::string exifOf(uint32_t orientation, std::endian order = std::endian::big) {
    return exifOf({kOrientationTag, orientation}, order);
}

inline std::string jpegSegment(char marker, const std::string& content) {
    return std::string{'\xff', marker} + bytesOf(static_cast<uint32_t>(content.size() + 2), 2, std::endian::big) + content;
}

inline std::string exifSegment(const std::string& block) { return jpegSegment('\xe1', std::string("Exif\0\0", 6) + block); }

inline std::string jpegWithExif(const std::string& file, const std::string& block) {
    return file.substr(0, 2) + exifSegment(block) + file.substr(2);
}

constexpr size_t kPngHeader = 33;  // signature and IHDR

/// With the chunk at an offset.
inline std::string pngWithExif(const std::string& file, const std::string& block, size_t offset = kPngHeader) {
    const std::string body = "eXIf" + block;
    const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    const std::string chunk =
        bytesOf(static_cast<uint32_t>(block.size()), 4, std::endian::big) + body + bytesOf(static_cast<uint32_t>(sum), 4, std::endian::big);
    return file.substr(0, offset) + chunk + file.substr(offset);
}

/// In the extended format (WebP Container Specification) of a file in the simple one.
inline std::string webpWithExif(const std::string& file, const std::string& block, int width, int height) {
    const auto put = [](size_t number, size_t size) { return bytesOf(static_cast<uint32_t>(number), size, std::endian::little); };
    constexpr size_t kExifFlag = 8;
    const std::string extended =
        "VP8X" + put(10, 4) + put(kExifFlag, 4) + put(static_cast<size_t>(width) - 1, 3) + put(static_cast<size_t>(height) - 1, 3);
    const std::string exif = "EXIF" + put(block.size(), 4) + block + std::string(block.size() % 2, '\0');
    const std::string chunks = "WEBP" + extended + file.substr(12) + exif;
    return "RIFF" + put(chunks.size(), 4) + chunks;
}

}  // namespace splat::test
