#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <splatwright/scene/files/byte_reader.h>
#include <splatwright/scene/pictures/blob_words.h>

namespace splat {

/// How a .blobs file stores the words of an attribute.
enum class BlobCoding : uint8_t {
    words,        ///< as they are
    differences,  ///< each as its difference to that of the blob before
    morton,       ///< centres only: both words as one Morton code, and that as its difference to the code before, which is not larger
};

/// What the planes of an attribute hold.
struct BlobLayout {
    size_t count = 0;  ///< blobs
    int bits = 1;      ///< per word, 1 to 16
    BlobCoding coding = BlobCoding::words;
};

/// Words of an attribute: one array per number, one word per blob.
using BlobWords = std::vector<std::vector<uint32_t>>;

/// Bits of two words of 16 bits in turn, the lowest one from x.
uint32_t mortonCode(uint32_t x, uint32_t y);

/// Bytes per blob before compression.
size_t planesOf(const BlobAttributeRow& row, const BlobLayout& layout);

/// The planes of an attribute as the file has them: per plane its size and its bytes, which are a zstd frame if `compress` and that is smaller.
std::vector<std::byte> packBlobWords(BlobWords words, const BlobLayout& layout, bool compress);

/// The inverse of packBlobWords(). Throws InputError with the path and the attribute.
BlobWords unpackBlobWords(const std::filesystem::path& path, ByteReader& reader, const BlobAttributeRow& row, const BlobLayout& layout);

}  // namespace splat
