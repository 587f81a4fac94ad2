#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include <tiffio.h>

#include <splatwright/scene/images/codec.h>

namespace splat {

inline constexpr uint64_t kMostTiffBytesAtOnce = uint64_t{1} << 30U;  ///< of a strip, a tile, a table, or rows that are decoded at once

/// A TIFF in memory, opened with libtiff, at its first picture.
class TiffFile {
public:
    /// tiff() is null if it cannot be opened.
    explicit TiffFile(const EncodedImage& file);
    TiffFile(const TiffFile&) = delete;
    TiffFile& operator=(const TiffFile&) = delete;

    TIFF* tiff() const { return tiff_.get(); }
    /// libtiff's first error; empty: none.
    const char* message() const { return source_.message.data(); }

    template <class T>
    T field(uint32_t tag, T absent = {}) const {
        T value{};
        return TIFFGetFieldDefaulted(tiff(), tag, &value) == 1 ? value : absent;
    }
    uint32_t width() const { return field<uint32_t>(TIFFTAG_IMAGEWIDTH); }
    uint32_t height() const { return field<uint32_t>(TIFFTAG_IMAGELENGTH); }
    /// Of a pixel, with those that are no colours.
    uint32_t channels() const { return field<uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1); }
    uint32_t bits() const { return field<uint16_t>(TIFFTAG_BITSPERSAMPLE, 1); }
    uint32_t format() const { return field<uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT); }
    bool tiled() const { return TIFFIsTiled(tiff()) != 0; }
    /// Whether each channel is stored in strips or tiles of its own.
    bool separate() const { return field<uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE; }
    /// Rows that are decoded at once.
    uint32_t rowsAtOnce() const {
        const auto rows = field<uint32_t>(tiled() ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, height());
        return std::clamp(rows, 1U, std::max(height(), 1U));
    }
    /// Of a strip or a tile.
    uint64_t partBytes() const { return tiled() ? TIFFTileSize64(tiff()) : TIFFStripSize64(tiff()); }

    /// Where libtiff's handlers read, and what they note.
    struct Source {
        std::span<const std::byte> bytes;
        uint64_t offset = 0;
        std::array<char, 256> message{};
    };

private:
    struct Close {
        void operator()(TIFF* tiff) const { TIFFClose(tiff); }
    };

    Source source_;
    std::unique_ptr<TIFF, Close> tiff_;
};

}  // namespace splat
