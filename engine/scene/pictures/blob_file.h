#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <splatwright/scene/pictures/blob_words.h>
#include <splatwright/scene/pictures/blobs.h>

namespace splat {

/// The .blobs format, which engine/scene/README.md describes: attributes are rounded to a few bits, sorted if the order is free, and compressed.

inline constexpr std::array<char, 8> kBlobSignature{'S', 'P', 'L', 'A', 'T', 'B', 'L', 'B'};
inline constexpr std::array<std::string_view, 1> kBlobEndings{".blobs"};
inline constexpr int kMostBlobBits = 16;
inline constexpr size_t kMostBlobs = size_t{1} << 24U;  ///< words of the renderer have 24 bits for a splat
inline constexpr uint32_t kMostBlobSide = 65536;        ///< pixels of a picture's width or height

/// Bits per number of each attribute, 1 to 16.
struct BlobEncoding {
    std::array<int, kBlobAttributes> bits{15, 8, 8, 9, 7};  ///< by BlobAttribute; the README has what they cost and lose

    int& of(BlobAttribute attribute) { return bits[static_cast<size_t>(attribute)]; }
    bool operator==(const BlobEncoding&) const = default;
};

/// A .blobs file in memory. The blobs of a summed picture come in the order of a Morton curve, those of a blended one keep their order. Throws
/// InputError naming the attribute if its bits are out of range, and Error if the picture is too large or a number is NaN or out of bounds.
std::vector<std::byte> encodeBlobs(const Blobs& blobs, const BlobEncoding& encoding);

/// The inverse of encodeBlobs() but for the rounding. Throws InputError with `name`, the property, what was found and what was expected.
Blobs decodeBlobs(std::span<const std::byte> bytes, const std::filesystem::path& name);

/// The encoding of a file in memory. Throws the errors of decodeBlobs() for its header.
BlobEncoding blobEncodingOf(std::span<const std::byte> bytes, const std::filesystem::path& name);

/// What a file of the blobs decodes to, in the blobs' own order. Throws the errors of encodeBlobs().
Blobs roundedBlobs(const Blobs& blobs, const BlobEncoding& encoding);

/// Writes encodeBlobs() atomically. Throws its errors, and Error naming the path if the file cannot be written.
void writeBlobs(const std::filesystem::path& path, const Blobs& blobs, const BlobEncoding& encoding);

/// Whether the file begins with the format's signature.
bool isBlobFile(const std::filesystem::path& path);

/// Reads the whole file. Throws the errors of decodeBlobs(), and InputError naming the path if it cannot be read.
Blobs readBlobs(const std::filesystem::path& path);

}  // namespace splat
