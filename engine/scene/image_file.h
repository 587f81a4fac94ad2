#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "core/image.h"

namespace splat {

struct ImageSize {
    int width = 0;
    int height = 0;

    bool operator==(const ImageSize&) const = default;
};

/// What the header of a picture says, and what follows for reading it.
struct ImageHeader {
    ImageSize size;
    int channels = 3;           ///< 3, or 4 where the file has alpha, after conversion
    uint64_t leastBytes = 0;    ///< a file of fewer cannot hold so many pixels
    uint64_t decoderBytes = 0;  ///< memory of the decoder: 0 where it goes row by row
    uint64_t fileBytes = 0;

    uint64_t pixels() const { return static_cast<uint64_t>(size.width) * static_cast<uint64_t>(size.height); }
};

/// Takes a row of interleaved 8-bit channels; y counts from the top.
using ImageRow = std::function<void(int y, std::span<const uint8_t> row)>;

/// The largest picture that is decoded unless a setting says otherwise.
inline constexpr uint32_t kDefaultMegapixels = 256;

/// Reads and checks a header without decoding. Throws InputError naming the path for a missing, foreign or damaged file, a side of more than
/// 65536 pixels, and for more pixels than the file's bytes can hold.
ImageHeader readImageHeader(const std::filesystem::path& path);

/// Also throws InputError for a header of more than so many million pixels.
ImageHeader readImageHeader(const std::filesystem::path& path, uint32_t megapixels);

/// Decodes a JPEG, PNG or WebP file (told apart by content) row by row: 3 channels, or 4 where the file has alpha; 16-bit and grey files are
/// converted. Throws InputError naming the path for a damaged file or one whose header is no longer this one.
void readImageRows(const std::filesystem::path& path, const ImageHeader& header, const ImageRow& row);

/// The whole picture in memory.
Image8 readImage(const std::filesystem::path& path, uint32_t megapixels = kDefaultMegapixels);

/// Writes 3 or 4 channels as PNG, to a temporary first and then by renaming. Throws Error when the place cannot be written.
void writePng(const std::filesystem::path& path, const Image8& image);

}  // namespace splat
