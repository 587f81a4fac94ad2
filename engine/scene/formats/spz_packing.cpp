#include <splatwright/scene/formats/spz_packing.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include <glm/gtc/packing.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/quantised.h>

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

/// A multiple of `step`, which divides 128, so that zero is kept. `up`, in steps, is added to a magnitude before it is cut: 0.5 gives the nearest
/// multiple. The reference rounds to 8 bits before, and so shifts the mean.
uint8_t shByte(float coefficient, int step, float up) {
    const float perUnit = 128 / static_cast<float>(step);
    const float steps = std::clamp(coefficient, -1.0f, 1.0f) * perUnit;
    return static_cast<uint8_t>(std::min(static_cast<int>(perUnit + std::trunc(steps + std::copysign(up, steps))) * step, 255));
}

/// Writes splats to the blocks of a file.
class Packer {
public:
    /// `bytes`: the blocks, one after another. Fractional bits of the header may come later.
    Packer(const SpzHeader& header, const SpzEncoding& encoding, std::span<std::byte> bytes)
        : header_(header),
          coefficients_(shCoefficients(header.shDegree)),
          firstStep_(1 << (8 - encoding.firstBits)),
          furtherStep_(1 << (8 - encoding.furtherBits)) {
        auto* start = reinterpret_cast<uint8_t*>(bytes.data());
        const auto bytesEach = spzBytesEach(header);
        for (size_t b = 0; b < kSpzBlocks; start += header.count * bytesEach[b++]) blocks_[b] = start;
    }

    /// All but the position of splat i of a model, as splat `to` of the file.
    void pack(const Gaussians& gaussians, size_t i, size_t to) const {
        *at(SpzBlock::opacities, to, 1) = byteOf(255 * opacityOfLogit(gaussians.logitOpacities[i]));
        const glm::vec3* sh = &gaussians.sh[i * coefficients_];
        putTriple(at(SpzBlock::colours, to, 3), sh[0] * (0.15f * 255) + 127.5f);
        putTriple(at(SpzBlock::scales, to, 3), (gaussians.logScales[i] + 10.0f) * 16.0f);
        const glm::vec4 rotation = glm::normalize(gaussians.rotations[i]) * flip_.rotation;
        if (header_.version < 3) {
            putThreeBytes(at(SpzBlock::rotations, to, 3), rotation);
        } else {
            putSmallestThree(at(SpzBlock::rotations, to, 4), rotation);
        }
        packHigher(sh, at(SpzBlock::higher, to, 3 * (coefficients_ - 1)));
    }

    void packPosition(glm::vec3 mean, size_t to) const {
        if (header_.version == 1) {
            putHalves(at(SpzBlock::positions, to, 6), mean * flip_.position);
        } else {
            putFixed(at(SpzBlock::positions, to, 9), mean * flip_.position, std::ldexp(1.0f, header_.fractionalBits));
        }
    }

    std::span<const uint8_t> block(SpzBlock b) const {
        const auto index = static_cast<size_t>(b);
        return {blocks_[index], header_.count * spzBytesEach(header_)[index]};
    }

private:
    int stepOf(size_t coefficient) const { return coefficient < shCoefficients(1) ? firstStep_ : furtherStep_; }

    /// Neighbours have similar coefficients. Where all are small, rounding to the nearest would take most of them away together; rounded up from 0.44 of a
    /// step, more of their sum is left. From 0.40 on it is too much.
    void packHigher(const glm::vec3* sh, uint8_t* out) const {
        constexpr float kFaint = 0.6f;  // steps
        bool isFaint = true;
        for (size_t k = 1; k < coefficients_; ++k) {
            const glm::vec3 sizes = glm::abs(sh[k]) * (128 / static_cast<float>(stepOf(k)));
            isFaint = isFaint && std::max({sizes.x, sizes.y, sizes.z}) < kFaint;
        }
        const float up = isFaint ? 0.56f : 0.5f;
        for (size_t k = 1; k < coefficients_; ++k)
            for (int c = 0; c < 3; ++c) *out++ = shByte(sh[k][c] * flip_.sh[k], stepOf(k), up);
    }

    uint8_t* at(SpzBlock block, size_t splat, size_t bytesEach) const { return blocks_[static_cast<size_t>(block)] + splat * bytesEach; }

    const SpzHeader& header_;
    std::array<uint8_t*, kSpzBlocks> blocks_{};
    const AxisFlip flip_{{1, -1, -1}};  // right, down, front to right, up, back
    size_t coefficients_;
    int firstStep_, furtherStep_;
};

float limitOf(uint32_t version) { return version == 1 ? kLargestHalf : kLargestFixed; }

/// The largest coordinate. Throws InputError with the first position of splats [first, end), counted from `before` on, that is out of the version's range.
float extentOf(const std::filesystem::path& path, std::span<const glm::vec3> means, size_t before, uint32_t version) {
    float extent = 0;
    for (size_t i = 0; i < means.size(); ++i) {
        extent = std::max(extent, largest(means[i]));
        if (extent <= limitOf(version)) continue;
        throw InputError("{}: position of splat {} has the coordinate {}, expected at most {} in version {} of SPZ", path.string(),
                         before + i, extent, limitOf(version), version);
    }
    return extent;
}

/// The median standard deviation of splats along the middle one of their axes, about as wide as they look.
float medianWidth(std::span<const uint8_t> logScales) {
    std::array<size_t, 256> counts{};
    for (size_t i = 0; i < logScales.size(); i += 3) {
        const uint8_t a = logScales[i], b = logScales[i + 1], c = logScales[i + 2];
        ++counts[std::max(std::min(a, b), std::min(std::max(a, b), c))];
    }
    size_t byte = 0;
    for (size_t below = counts[0]; 2 * below < logScales.size() / 3; below += counts[byte]) ++byte;
    return std::exp(static_cast<float>(byte) / 16 - 10);
}

/// As many as the reference has, more where steps would show in small splats, and fewer where the extent allows no more. Bits that do not show take
/// bytes, because they are noise.
int fractionalBitsOf(float extent, float width, uint32_t version) {
    constexpr int kReferenceBits = 12;
    constexpr float kStepsPerWidth = 4;  // renders of positions alone keep about 45 dB
    if (version == 1) return 0;
    int bits = kReferenceBits;
    while (std::ldexp(width, bits) < kStepsPerWidth) ++bits;
    while (bits > 0 && std::ldexp(extent, bits) > kLargestFixed) --bits;
    return bits;
}

}  // namespace

SpzPacking packSpz(const std::filesystem::path& path, const SplatBlocks& blocks, const SpzEncoding& encoding) {
    const SpzHeader header{.version = encoding.version,
                           .count = static_cast<uint32_t>(blocks.count()),
                           .shDegree = blocks.form().shDegree,
                           .flags = blocks.form().antialiased ? SpzHeader::kAntialiased : uint8_t{0}};
    SpzPacking packing{header, UnfilledBytes(sizeof(SpzGzipHeader) + header.count * spzBytesOfSplat(header))};
    const Packer packer(packing.header, encoding, packing.bytes.span().subspan(sizeof(SpzGzipHeader)));
    // Positions wait until the extent of all is known.
    std::vector<glm::vec3> means(header.count);
    std::vector<float> extents(blocks.blocks());
    parallelFor(blocks.blocks(), [&](size_t block) {
        blocks.visit(block, [&](const Gaussians& splats, size_t first, size_t end) {
            const size_t start = blocks.start(block);
            requireFinite(path, splats, first, end, start);
            const auto own = std::span(splats.means).subspan(first, end - first);
            extents[block] = extentOf(path, own, start, header.version);
            std::ranges::copy(own, means.begin() + static_cast<std::ptrdiff_t>(start));
            for (size_t i = first; i < end; ++i) packer.pack(splats, i, start + i - first);
        });
    });
    packing.header.fractionalBits =
        fractionalBitsOf(*std::ranges::max_element(extents), medianWidth(packer.block(SpzBlock::scales)), header.version);
    constexpr size_t kSlice = 4096;  // splats per thread and step
    parallelEach(means.size(), kSlice, [&](size_t i) { packer.packPosition(means[i], i); });
    return packing;
}

}  // namespace splat
