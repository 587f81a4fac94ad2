#ifdef SPLAT_HAS_TIFF

#include <splatwright/scene/images/tiff_floats.h>

#include <cmath>
#include <cstring>

#include <glm/gtc/packing.hpp>

namespace splat {

TiffFloats::TiffFloats(const TiffFile& file, std::span<const std::byte> profile)
    : sampleBytes_(file.bits() / 8),
      channels_(file.channels()),
      colours_(file.field<uint16_t>(TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_RGB ? 3 : 1),
      alpha_(alphaOf(file, colours_)),
      toSrgb_(profile) {}

TiffFloats::Alpha TiffFloats::alphaOf(const TiffFile& file, size_t colours) {
    uint16_t count = 0;
    const uint16_t* kinds = nullptr;
    if (file.channels() <= colours || TIFFGetField(file.tiff(), TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || count == 0)
        return Alpha::none;
    return kinds[0] == EXTRASAMPLE_UNASSALPHA ? Alpha::straight : kinds[0] == EXTRASAMPLE_ASSOCALPHA ? Alpha::multiplied : Alpha::none;
}

float TiffFloats::valueAt(std::span<const std::byte> samples, size_t index) const {
    if (sampleBytes_ == 2) {
        uint16_t half = 0;
        std::memcpy(&half, &samples[2 * index], sizeof half);
        return glm::unpackHalf1x16(half);
    }
    float value = 0;
    std::memcpy(&value, &samples[4 * index], sizeof value);
    return value;
}

void TiffFloats::unpack(std::span<const std::byte> samples, std::vector<uint8_t>& row) {
    const size_t width = samples.size() / sampleBytes_ / channels_, out = hasAlpha() ? 4 : 3;
    values_.resize(3 * width);
    colour_.resize(3 * width);
    row.resize(out * width);
    for (size_t x = 0; x < width; ++x) {
        const float alpha = hasAlpha() ? valueAt(samples, x * channels_ + colours_) : 1;
        const float straight = alpha_ == Alpha::multiplied && alpha > 0 ? 1 / alpha : 1;
        for (size_t c = 0; c < 3; ++c) values_[3 * x + c] = straight * valueAt(samples, x * channels_ + std::min(c, colours_ - 1));
        if (hasAlpha()) row[4 * x + 3] = static_cast<uint8_t>(alpha > 0 ? std::lround(255 * std::min(alpha, 1.0F)) : 0);
    }
    toSrgb_.convert(values_, colour_);
    for (size_t x = 0; x < width; ++x) std::memcpy(&row[out * x], &colour_[3 * x], 3);
}

}  // namespace splat

#endif
