#ifdef SPLAT_HAS_TIFF

#include <splatwright/scene/images/tiff_samples.h>

#include <cstring>

namespace splat {

TiffSamples::TiffSamples(const TiffFile& file)
    : file_(file),
      width_(file.width()),
      sampleBytes_(file.bits() / 8),
      pixelBytes_(file.channels() * sampleBytes_),
      partPixelBytes_(file.separate() ? sampleBytes_ : pixelBytes_),
      part_(file.partBytes()) {}

uint64_t TiffSamples::bytesFor(const TiffFile& file) {
    return file.partBytes() + uint64_t{file.rowsAtOnce()} * file.width() * file.channels() * (file.bits() / 8);
}

bool TiffSamples::read(uint32_t y, uint32_t rows, std::vector<std::byte>& samples) {
    samples.resize(rows * width_ * pixelBytes_);
    const uint32_t planes = file_.separate() ? file_.channels() : 1;
    for (uint32_t plane = 0; plane < planes; ++plane) {
        if (!(file_.tiled() ? readTiles(y, rows, plane, samples) : readStrip(y, rows, plane, samples))) return false;
    }
    return true;
}

bool TiffSamples::readStrip(uint32_t y, uint32_t rows, uint32_t plane, std::vector<std::byte>& samples) {
    const auto strip = TIFFComputeStrip(file_.tiff(), y, static_cast<uint16_t>(plane));
    const size_t expected = rows * width_ * partPixelBytes_;
    if (expected > part_.size()) return false;
    const tmsize_t found = TIFFReadEncodedStrip(file_.tiff(), strip, part_.data(), static_cast<tmsize_t>(expected));
    if (found < 0 || static_cast<size_t>(found) < expected) return false;
    place(width_ * partPixelBytes_, 0, rows, static_cast<uint32_t>(width_), plane, samples);
    return true;
}

bool TiffSamples::readTiles(uint32_t y, uint32_t rows, uint32_t plane, std::vector<std::byte>& samples) {
    const auto side = file_.field<uint32_t>(TIFFTAG_TILEWIDTH);
    const size_t rowBytes = side * partPixelBytes_;
    if (side == 0 || rows * rowBytes > part_.size()) return false;
    for (uint32_t x = 0; x < width_; x += side) {
        const auto tile = TIFFComputeTile(file_.tiff(), x, y, 0, static_cast<uint16_t>(plane));
        const tmsize_t found = TIFFReadEncodedTile(file_.tiff(), tile, part_.data(), static_cast<tmsize_t>(part_.size()));
        if (found < 0 || static_cast<size_t>(found) < part_.size()) return false;
        place(rowBytes, x, rows, std::min(side, static_cast<uint32_t>(width_) - x), plane, samples);
    }
    return true;
}

/// Copies the part, whose rows have partRow bytes, to the columns from x.
void TiffSamples::place(size_t partRow, uint32_t x, uint32_t rows, uint32_t columns, uint32_t plane,
                        std::vector<std::byte>& samples) const {
    for (size_t r = 0; r < rows; ++r) {
        const std::byte* from = part_.data() + r * partRow;
        std::byte* to = samples.data() + (r * width_ + x) * pixelBytes_ + plane * partPixelBytes_;
        if (partPixelBytes_ == pixelBytes_) {
            std::memcpy(to, from, columns * pixelBytes_);
            continue;
        }
        for (size_t i = 0; i < columns; ++i) std::memcpy(to + i * pixelBytes_, from + i * partPixelBytes_, partPixelBytes_);
    }
}

}  // namespace splat

#endif
