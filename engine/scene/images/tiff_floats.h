#pragma once

#include <vector>

#include <splatwright/scene/images/tiff_file.h>
#include <splatwright/scene/images/to_srgb.h>

namespace splat {

/// Converts rows of floating-point samples of 16 or 32 bits, grey or RGB, to 8 bits of sRGB's red, green and blue, and alpha.
class TiffFloats {
public:
    TiffFloats(const TiffFile& file, std::span<const std::byte> profile);

    bool hasAlpha() const { return alpha_ != Alpha::none; }
    void unpack(std::span<const std::byte> samples, std::vector<uint8_t>& row);

private:
    enum class Alpha : uint8_t { none, straight, multiplied };
    static Alpha alphaOf(const TiffFile& file, size_t colours);
    float valueAt(std::span<const std::byte> samples, size_t index) const;

    const size_t sampleBytes_, channels_, colours_;
    const Alpha alpha_;
    const FloatsToSrgb toSrgb_;
    std::vector<float> values_;  ///< red, green and blue of a row
    std::vector<uint8_t> colour_;
};

}  // namespace splat
