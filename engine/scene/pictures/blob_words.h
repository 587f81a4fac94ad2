#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <splatwright/scene/pictures/blobs.h>

namespace splat {

/// The attributes of a .blobs file, in the order of the file.
enum class BlobAttribute { centres, diagonals, offDiagonals, colours, opacities };
inline constexpr size_t kBlobAttributes = 5;

/// Whether equal steps between words are equal steps between numbers or between their logarithms.
enum class BlobSpacing { linear, logarithmic };

/// An attribute as numbers per blob, each of which becomes one word of the file.
struct BlobAttributeRow {
    const char* name;   ///< in messages
    size_t words;       ///< numbers per blob
    float least, most;  ///< bounds of every number
    BlobSpacing spacing;
    bool rounded;  ///< numbers lose digits when decoded, so the ends of the range have 20 significant bits
    float (*get)(const Blobs& blobs, size_t blob, size_t word);
    void (*set)(Blobs& blobs, size_t blob, size_t word, float value);  ///< attributes before it in the table must be set already
};

/// Indexed by BlobAttribute.
extern const std::array<BlobAttributeRow, kBlobAttributes> kBlobRows;

/// Smallest and largest number of an attribute; both are words exactly.
struct BlobRange {
    float lowest = 0, highest = 0;
};

/// The range of an attribute, {least, least} or {0, 0} without blobs. Decoded blobs have the same range as those that were encoded. Throws Error
/// naming the blob if a number is NaN or out of bounds.
BlobRange rangeOf(const Blobs& blobs, const BlobAttributeRow& row);

/// Rounds the numbers of a range to words of 1 to 16 bits.
class BlobQuantiser {
public:
    BlobQuantiser(BlobRange range, int bits, BlobSpacing spacing);

    /// The nearest word; numbers beyond the ends become the ends.
    uint32_t word(float value) const;
    /// The number that a word stands for.
    float value(uint32_t word) const;

private:
    double placed(float value) const;

    BlobRange range_;
    BlobSpacing spacing_;
    uint32_t last_;          ///< the largest word
    double start_, length_;  ///< of the range, as words are spaced
};

}  // namespace splat
