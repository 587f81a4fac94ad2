#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace splat {

/// Transfer functions of a high dynamic range, by their numbers in ITU-T H.273, table 3.
enum class HdrTransfer : uint8_t { pq = 16, hlg = 18 };

/// Colour primaries as their matrix to sRGB's in linear light, row by row, and the luminances of red, green and blue.
struct HdrPrimaries {
    int number;  ///< in ITU-T H.273, table 2
    std::array<float, 9> toSrgb;
    std::array<float, 3> luminance;
};

/// BT.709, BT.2020 or Display P3; null for other numbers.
const HdrPrimaries* findHdrPrimaries(int number);

/// Converts pictures of a high dynamic range to sRGB, all alike, so that photographs of one scene stay comparable: signals become light (PQ by SMPTE
/// ST 2084, HLG by ITU-R BT.2100 for a display of 1000 cd/m2), highlights of up to 1000 cd/m2 are compressed into the 203 cd/m2 of a white surface
/// (ITU-R BT.2408) by the curve of ITU-R BT.2390, and 203 cd/m2 become 255. Light below about 90 cd/m2 is not compressed.
class HdrToSrgb {
public:
    HdrToSrgb(HdrTransfer transfer, const HdrPrimaries& primaries, uint32_t bits);

    /// From samples of `bits` to 8 bits, of 3 channels or of 4 with alpha.
    void convert(std::span<const uint16_t> samples, size_t channels, std::span<uint8_t> row) const;

private:
    std::array<uint8_t, 3> colourOf(std::array<float, 3> light) const;

    const HdrTransfer transfer_;
    const HdrPrimaries& primaries_;
    const uint32_t largest_;        ///< sample
    std::vector<float> light_;      ///< by sample: PQ: in 1000 cd/m2; HLG: of the scene, 0 to 1
    std::vector<float> gain_;       ///< by the root of a colour's largest light
    std::vector<uint8_t> encoded_;  ///< sRGB by linear light
};

}  // namespace splat
