#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/core/memory.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/chunk_positions.h>
#include <splatwright/scene/formats/compressed_ply.h>
#include <splatwright/scene/formats/ply_header.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {
namespace {

constexpr float kLargestLogScale = 20;  // either way; beyond it a splat is a point or hides everything, and a chunk's steps would be coarse
constexpr float kShRange = 8;           // of a byte: -4 to 4

/// A row of the element `vertex`.
struct PackedSplat {
    uint32_t position, rotation, scale, colour;
};
static_assert(sizeof(PackedSplat) == kPackedProperties.size() * sizeof(uint32_t));

struct Bounds {
    glm::vec3 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};

    void add(glm::vec3 v) { low = glm::min(low, v), high = glm::max(high, v); }
    /// 0 at the lower bound, 1 at the higher one.
    glm::dvec3 part(glm::vec3 v) const {
        const glm::dvec3 size = glm::dvec3(high) - glm::dvec3(low);
        return (glm::dvec3(v) - glm::dvec3(low)) / glm::mix(size, glm::dvec3(1), glm::equal(size, glm::dvec3(0)));
    }
};

/// The nearest step of so many bits to a part 0..1.
uint32_t stepOf(double part, uint32_t bits) {
    const double last = (1u << bits) - 1;
    return static_cast<uint32_t>(std::clamp(part * last + 0.5, 0.0, last));
}

uint32_t packed111011(glm::dvec3 part) { return stepOf(part.x, 11) << 21u | stepOf(part.y, 10) << 11u | stepOf(part.z, 11); }

/// The index of the largest of w, x, y, z, then the other three, each of which is within half a root of 2.
uint32_t packedRotation(glm::vec4 rotation) {
    const glm::dvec4 q(unitRotation(rotation));
    int largest = 0;
    for (int i = 1; i < 4; ++i) {
        if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
    }
    auto word = static_cast<uint32_t>(largest);
    for (int i = 0; i < 4; ++i) {
        if (i != largest) word = word << 10u | stepOf((q[largest] < 0 ? -q[i] : q[i]) / std::numbers::sqrt2 + 0.5, 10);
    }
    return word;
}

uint32_t packedColour(glm::dvec3 part, float logitOpacity) {
    return stepOf(part.x, 8) << 24u | stepOf(part.y, 8) << 16u | stepOf(part.z, 8) << 8u |
           stepOf(static_cast<double>(opacityOfLogit(logitOpacity)), 8);
}

/// The reader takes the middle of a step, so a value is cut off to its step.
std::byte shByte(float value) {
    return static_cast<std::byte>(static_cast<int>(std::min(std::max(256 / kShRange * value + 128, 0.0f), 255.0f)));
}

using ShBytes = std::array<std::byte, 3 * (shCoefficients(3) - 1)>;

ShBytes shBytesOf(std::span<const float> values) {
    constexpr size_t kLanes = 8;  // which a compiler may convert at the same time
    ShBytes bytes;
    size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes)
        for (size_t lane = 0; lane < kLanes; ++lane) bytes[i + lane] = shByte(values[i + lane]);
    for (; i < values.size(); ++i) bytes[i] = shByte(values[i]);
    return bytes;
}

glm::vec3 clampedScale(glm::vec3 logScale) { return glm::clamp(logScale, -kLargestLogScale, kLargestLogScale); }

/// The bytes of the file: header, then the three elements.
class Layout {
public:
    explicit Layout(const Gaussians& gaussians)
        : gaussians_(gaussians),
          coefficients_(shCoefficients(gaussians.shDegree)),
          chunks_((gaussians.count() + kChunkSplats - 1) / kChunkSplats),
          head_(header()),
          bytes_(shStart() + gaussians.count() * shBytes()) {
        std::memcpy(bytesAt(0), head_.data(), head_.size());
    }

    std::span<const std::byte> bytes() const { return bytes_.span(); }

    /// `splats`: indices of those of the chunk.
    void packChunk(size_t chunk, std::span<const uint32_t> splats, const Bounds& position) {
        Bounds scale, colour;
        for (size_t row = chunk * kChunkSplats; const uint32_t i : splats) {
            packHigherCoefficients(i, row++);
            scale.add(clampedScale(gaussians_.logScales[i]));
            colour.add(colourOfDc(gaussians_.sh[i * coefficients_]));
        }
        const Chunk bounds{position.low, position.high, scale.low, scale.high, colour.low, colour.high};
        std::memcpy(bytesAt(head_.size() + chunk * sizeof(Chunk)), &bounds, sizeof bounds);
        for (size_t row = chunk * kChunkSplats; const uint32_t i : splats) {
            const PackedSplat splat{packed111011(position.part(gaussians_.means[i])), packedRotation(gaussians_.rotations[i]),
                                    packed111011(scale.part(clampedScale(gaussians_.logScales[i]))),
                                    packedColour(colour.part(colourOfDc(gaussians_.sh[i * coefficients_])), gaussians_.logitOpacities[i])};
            std::memcpy(bytesAt(splatStart() + row++ * sizeof splat), &splat, sizeof splat);
        }
    }

private:
    std::string header() const {
        std::string text = "ply\nformat binary_little_endian 1.0\n";
        if (gaussians_.antialiased) text += fmt::format("comment {}\n", kAntialiasedComment);
        text += fmt::format("element chunk {}\n", chunks_);
        for (const char* name : kChunkProperties) text += fmt::format("property float {}\n", name);
        text += fmt::format("element vertex {}\n", gaussians_.count());
        for (const char* name : kPackedProperties) text += fmt::format("property uint {}\n", name);
        if (shBytes() > 0) text += fmt::format("element sh {}\n", gaussians_.count());
        for (size_t i = 0; i < shBytes(); ++i) text += fmt::format("property uchar f_rest_{}\n", i);
        return text + "end_header\n";
    }

    std::byte* bytesAt(size_t offset) { return bytes_.span().data() + offset; }
    size_t splatStart() const { return head_.size() + chunks_ * sizeof(Chunk); }
    size_t shStart() const { return splatStart() + gaussians_.count() * sizeof(PackedSplat); }
    size_t shBytes() const { return 3 * (coefficients_ - 1); }

    /// All reds, then greens, then blues. The rows of neighbours lie anywhere in memory: between few other instructions, several are fetched at once.
    void packHigherCoefficients(size_t splat, size_t row) {
        if (coefficients_ == 1) return;
        const auto bytes = shBytesOf(std::span(&gaussians_.sh[splat * coefficients_ + 1].x, shBytes()));
        std::byte* to = bytesAt(shStart() + row * shBytes());
        for (size_t channel = 0; channel < 3; ++channel)
            for (size_t i = channel; i < shBytes(); i += 3) *to++ = bytes[i];
    }

    const Gaussians& gaussians_;
    size_t coefficients_, chunks_;
    std::string head_;
    UnfilledBytes bytes_;
};

}  // namespace

void writeCompressedPly(const std::filesystem::path& path, const Gaussians& gaussians) {
    requireWritable(path, gaussians);
    const ChunkedPositions positions = chunkedPositions(gaussians.means);
    Layout layout(gaussians);
    parallelSlices(gaussians.count(), kChunkSplats, [&](size_t first, size_t end) {
        const size_t chunk = first / kChunkSplats;
        const auto& [low, high, error] = positions.bounds[chunk];
        layout.packChunk(chunk, std::span(positions.order).subspan(first, end - first), {low, high});
    });
    writeFileAtomically(path, layout.bytes());
}

}  // namespace splat
