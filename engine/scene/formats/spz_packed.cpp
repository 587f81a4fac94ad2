#include <splatwright/scene/formats/spz_packed.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include <glm/gtc/packing.hpp>

#include <splatwright/core/error.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {
namespace {

bool halfPositions(const SpzHeader& header) { return header.version == 1; }
bool smallestThree(const SpzHeader& header) { return header.version >= 3; }

/// Two bits are the index of the largest of x, y, z, w, which is omitted; the others follow in order, as a sign and nine bits each.
glm::vec4 unpackSmallestThree(uint32_t word) {
    const auto placeOf = [](uint32_t component) { return static_cast<int>((component + 1) % 4); };  // in w, x, y, z
    const uint32_t largest = word >> 30u;
    glm::vec4 q(0);
    uint32_t shift = 30;
    for (uint32_t component = 0; component < 4; ++component) {
        if (component == largest) continue;
        shift -= 10;
        const float size = static_cast<float>((word >> shift) & 511u) / 511.0f * std::sqrt(0.5f);
        q[placeOf(component)] = (word >> (shift + 9)) & 1u ? -size : size;
    }
    return completed(q, placeOf(largest));
}

}  // namespace

std::array<size_t, kSpzBlocks> spzBytesEach(const SpzHeader& header) {
    const size_t position = halfPositions(header) ? 6 : 9, rotation = smallestThree(header) ? 4 : 3;
    return {position, 1, 3, 3, rotation, 3 * (shCoefficients(header.shDegree) - 1)};
}

size_t spzBytesOfSplat(const SpzHeader& header) {
    const auto bytesEach = spzBytesEach(header);
    return std::accumulate(bytesEach.begin(), bytesEach.end(), size_t{0});
}

SpzPacked::SpzPacked(const SpzHeader& header, UnfilledBytes bytes, size_t start)
    : header_(header),
      higherCount_(shCoefficients(header.shDegree) - 1),
      positionStep_(std::ldexp(1.0f, -header.fractionalBits)),
      bytes_(std::move(bytes)) {
    const auto bytesEach = spzBytesEach(header_);
    SPLAT_CHECK(start + header_.count * spzBytesOfSplat(header_) <= bytes_.span().size(), "{} bytes from {} on", bytes_.span().size(),
                start);
    std::span<const uint8_t> rest(reinterpret_cast<const uint8_t*>(bytes_.span().data()) + start, bytes_.span().size() - start);
    for (size_t b = 0; b < kSpzBlocks; ++b) {
        blocks_[b] = rest.first(header_.count * bytesEach[b]);
        rest = rest.subspan(blocks_[b].size());
    }
}

float SpzPacked::coordinate(size_t item) const {
    const auto positions = block(SpzBlock::positions);
    if (halfPositions(header_)) return glm::unpackHalf1x16(static_cast<uint16_t>(positions[2 * item] | positions[2 * item + 1] << 8));
    const auto b = positions.subspan(3 * item).first<3>();
    const uint32_t top = uint32_t{b[0]} << 8u | uint32_t{b[1]} << 16u | uint32_t{b[2]} << 24u;
    const int32_t fixed = static_cast<int32_t>(top) >> 8;  // sign extension of 24 bits
    return static_cast<float>(fixed) * positionStep_;
}

glm::vec4 SpzPacked::rotation(size_t i) const {
    if (!smallestThree(header_)) return completed(glm::vec4(0, triple(SpzBlock::rotations, i) / 127.5f - 1.0f), 0);
    uint32_t word;
    std::memcpy(&word, &block(SpzBlock::rotations)[4 * i], sizeof word);
    return unpackSmallestThree(word);
}

}  // namespace splat
