#pragma once

#include <vector>

#include <splatwright/scene/images/tiff_file.h>

namespace splat {

/// Reads the samples of a TIFF of 8, 16 or 32 bits as they are, in this machine's order of bytes.
class TiffSamples {
public:
    explicit TiffSamples(const TiffFile& file);

    /// Memory for the largest part and its rows.
    static uint64_t bytesFor(const TiffFile& file);

    /// All channels of rows y to y + rows, where strips or tiles begin: row by row, pixel by pixel. False if the file is damaged or truncated.
    bool read(uint32_t y, uint32_t rows, std::vector<std::byte>& samples);

private:
    bool readStrip(uint32_t y, uint32_t rows, uint32_t plane, std::vector<std::byte>& samples);
    bool readTiles(uint32_t y, uint32_t rows, uint32_t plane, std::vector<std::byte>& samples);
    void place(size_t partRow, uint32_t x, uint32_t rows, uint32_t columns, uint32_t plane, std::vector<std::byte>& samples) const;

    const TiffFile& file_;
    const size_t width_, sampleBytes_, pixelBytes_, partPixelBytes_;
    std::vector<std::byte> part_;  ///< a strip or a tile
};

}  // namespace splat
