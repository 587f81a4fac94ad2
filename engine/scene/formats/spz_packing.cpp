#include <splatwright/scene/formats/spz_packing.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include <glm/gtc/packing.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/spz_layout.h>

namespace splat {
namespace {

constexpr float kLargestFixed = 8388607;  // 24 bits with a sign
constexpr float kLargestHalf = 65504;

float largest(glm::vec3 v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

void putHalves(uint8_t* out, glm::vec3 position) {
    const std::array<uint16_t, 3> halves{glm::packHalf1x16(position.x), glm::packHalf1x16(position.y), glm::packHalf1x16(position.z)};
    std::memcpy(out, halves.data(), sizeof halves);
}

/// `scale`: steps per unit.
void putFixed(uint8_t* out, glm::vec3 position, float scale) {
    for (int c = 0; c < 3; ++c) {
        const auto fixed = static_cast<uint32_t>(static_cast<int32_t>(std::lround(position[c] * scale)));
        for (int byte = 0; byte < 3; ++byte) out[3 * c + byte] = static_cast<uint8_t>(fixed >> static_cast<uint32_t>(8 * byte));
    }
}

void putTriple(uint8_t* out, glm::vec3 steps) {
    for (int c = 0; c < 3; ++c) out[c] = byteOf(steps[c]);
}

/// x, y and z where w is not negative. The reader finds w as a root, which is steep near zero, so that the nearest steps are not the best: of the
/// steps on both sides, takes those whose rotation is nearest.
void putThreeBytes(uint8_t* out, glm::vec4 q) {
    if (q.x < 0) q = -q;
    const glm::vec3 low = glm::floor(127.5f * (glm::vec3(q.y, q.z, q.w) + 1.0f));
    float best = -1;
    for (uint32_t side = 0; side < 8; ++side) {
        const glm::vec3 steps = glm::clamp(low + glm::vec3(side & 1u, side >> 1u & 1u, side >> 2u), 0.0f, 255.0f);
        const float likeness = std::abs(glm::dot(q, completed(glm::vec4(0, steps / 127.5f - 1.0f), 0)));
        if (likeness <= best) continue;
        best = likeness;
        putTriple(out, steps);
    }
}

/// The layout of SpzPacked's smallest three.
void putSmallestThree(uint8_t* out, glm::vec4 wxyz) {
    const glm::vec4 q(wxyz.y, wxyz.z, wxyz.w, wxyz.x);
    int omitted = 0;
    for (int c = 1; c < 4; ++c) {
        if (std::abs(q[c]) > std::abs(q[omitted])) omitted = c;
    }
    auto word = static_cast<uint32_t>(omitted);
    for (int c = 0; c < 4; ++c) {
        if (c == omitted) continue;
        const auto size = static_cast<uint32_t>(std::lround(std::min(511.0f, 511 * std::sqrt(2.0f) * std::abs(q[c]))));
        const bool negative = (q[c] < 0) != (q[omitted] < 0);
        word = word << 10u | (negative ? 512u : 0u) | size;
    }
    std::memcpy(out, &word, sizeof word);
}

/// Rounds to 8 bits, then to the multiple of `step` (a power of two) as the reference does, which keeps zero.
uint8_t shByte(float coefficient, int step) {
    const int nearest = static_cast<int>(std::lround(std::clamp(coefficient, -1.0f, 1.0f) * 128)) + 128;
    return static_cast<uint8_t>(std::min((nearest + step / 2) / step * step, 255));
}

/// Where each block starts.
struct Blocks {
    uint8_t *positions, *opacities, *colours, *scales, *rotations, *higher;
};

class Packer {
public:
    Packer(const Gaussians& gaussians, const SpzHeader& header, const SpzEncoding& encoding, const Blocks& blocks)
        : gaussians_(gaussians),
          header_(header),
          blocks_(blocks),
          coefficients_(shCoefficients(header.shDegree)),
          firstStep_(1 << (8 - encoding.firstBits)),
          furtherStep_(1 << (8 - encoding.furtherBits)),
          positionScale_(std::ldexp(1.0f, header.fractionalBits)) {}

    void pack(size_t i) const {
        const glm::vec3 position = gaussians_.means[i] * flip_.position;
        if (header_.version == 1) {
            putHalves(blocks_.positions + 6 * i, position);
        } else {
            putFixed(blocks_.positions + 9 * i, position, positionScale_);
        }
        blocks_.opacities[i] = byteOf(255 * opacityOfLogit(gaussians_.logitOpacities[i]));
        const glm::vec3* sh = &gaussians_.sh[i * coefficients_];
        putTriple(blocks_.colours + 3 * i, sh[0] * (0.15f * 255) + 127.5f);
        putTriple(blocks_.scales + 3 * i, (gaussians_.logScales[i] + 10.0f) * 16.0f);
        const glm::vec4 rotation = glm::normalize(gaussians_.rotations[i]) * flip_.rotation;
        if (header_.version < 3) {
            putThreeBytes(blocks_.rotations + 3 * i, rotation);
        } else {
            putSmallestThree(blocks_.rotations + 4 * i, rotation);
        }
        uint8_t* out = blocks_.higher + 3 * i * (coefficients_ - 1);
        for (size_t k = 1; k < coefficients_; ++k)
            for (int c = 0; c < 3; ++c) *out++ = shByte(sh[k][c] * flip_.sh[k], k < shCoefficients(1) ? firstStep_ : furtherStep_);
    }

private:
    const Gaussians& gaussians_;
    const SpzHeader& header_;
    const Blocks& blocks_;
    const AxisFlip flip_{{1, -1, -1}};  // right, down, front to right, up, back
    size_t coefficients_;
    int firstStep_, furtherStep_;
    float positionScale_;
};

}  // namespace

SpzHeader spzHeaderOf(const std::filesystem::path& path, const Gaussians& gaussians, uint32_t version) {
    const float limit = version == 1 ? kLargestHalf : kLargestFixed;
    float extent = 0;
    for (size_t i = 0; i < gaussians.count(); ++i) {
        extent = std::max(extent, largest(gaussians.means[i]));
        if (extent <= limit) continue;
        throw InputError("{}: position of splat {} has the coordinate {}, expected at most {} in version {} of SPZ", path.string(), i,
                         extent, limit, version);
    }
    int bits = version == 1 ? 0 : kSpzMaxFractionalBits;
    while (bits > 0 && std::ldexp(extent, bits) > kLargestFixed) --bits;
    return {.version = version,
            .count = static_cast<uint32_t>(gaussians.count()),
            .shDegree = gaussians.shDegree,
            .fractionalBits = bits,
            .flags = gaussians.antialiased ? SpzHeader::kAntialiased : uint8_t{0}};
}

std::vector<std::byte> packSpz(const Gaussians& gaussians, const SpzHeader& header, const SpzEncoding& encoding) {
    constexpr size_t kSlice = 4096;  // splats per thread and step
    const auto bytesEach = spzBytesEach(header);
    std::vector<std::byte> bytes(header.count * std::accumulate(bytesEach.begin(), bytesEach.end(), size_t{0}));
    std::array<uint8_t*, kSpzBlocks> starts;
    auto* start = reinterpret_cast<uint8_t*>(bytes.data());
    for (size_t b = 0; b < kSpzBlocks; start += header.count * bytesEach[b++]) starts[b] = start;
    const Blocks blocks{starts[0], starts[1], starts[2], starts[3], starts[4], starts[5]};
    const Packer packer(gaussians, header, encoding, blocks);
    parallelEach(header.count, kSlice, [&](size_t i) { packer.pack(i); });
    return bytes;
}

}  // namespace splat
