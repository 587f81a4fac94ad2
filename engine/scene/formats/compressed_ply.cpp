#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <splatwright/core/error.h>
#include <splatwright/scene/formats/compressed_ply.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply_header.h>
#include <splatwright/scene/formats/ply_sh.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

std::vector<Chunk> readChunks(const fs::path& path) {
    PlyRows rows(path, "chunk");
    std::vector<std::string> names(kChunkProperties.begin(), kChunkProperties.begin() + kColourProperty);
    const bool coloured = rows.has(kChunkProperties[kColourProperty]);
    if (coloured) names.assign(kChunkProperties.begin(), kChunkProperties.end());
    rows.require(names);
    std::vector<Chunk> chunks(rows.count(), {.minColour = glm::vec3(0), .maxColour = glm::vec3(1)});
    rows.forEach(names, [&](size_t i, std::span<const float> v) { std::memcpy(&chunks[i], v.data(), v.size_bytes()); });
    return chunks;
}

/// A bit field of the word, scaled to 0..1.
float part(uint32_t word, uint32_t shift, uint32_t bits) {
    const uint32_t mask = (1u << bits) - 1;
    return static_cast<float>((word >> shift) & mask) / static_cast<float>(mask);
}

glm::vec3 unpack111011(uint32_t word) { return {part(word, 21, 11), part(word, 11, 10), part(word, 0, 11)}; }

/// The top two bits are the index of the largest of w, x, y, z, which is omitted; the others follow in order.
glm::vec4 unpackRotation(uint32_t word) {
    const int largest = static_cast<int>(word >> 30u);
    glm::vec4 q(0);
    uint32_t shift = 30;
    for (int i = 0; i < 4; ++i) {
        if (i == largest) continue;
        shift -= 10;
        q[i] = (part(word, shift, 10) - 0.5f) * std::sqrt(2.0f);
    }
    return completed(q, largest);
}

glm::vec3 between(glm::vec3 low, glm::vec3 high, glm::vec3 t) { return low * (1.0f - t) + high * t; }

/// An ASCII file may contain any number for a uint property.
uint32_t wordOf(double value) { return static_cast<uint32_t>(std::clamp(value, 0.0, 4294967295.0)); }

void requireType(const PlyRows& rows, const fs::path& path, const std::string& property, PlyType type) {
    if (rows.typeOf(property) == type) return;
    throw InputError("{}: property {} is {}, expected {}", path.string(), property, nameOf(rows.typeOf(property)), nameOf(type));
}

void readHigherCoefficients(Gaussians& gaussians, PlyRows& rows, const fs::path& path) {
    const size_t coefficients = shCoefficients(gaussians.shDegree), higher = coefficients - 1;
    std::vector<std::string> names;
    for (size_t value = 0; value < 3 * higher; ++value) {
        names.push_back(fmt::format("f_rest_{}", value));
        requireType(rows, path, names.back(), PlyType::uint8);
    }
    // -4 to 4. The first and last step stand for the ends, the others for their middle, because the writer truncates.
    const auto coefficientOf = [](float byte) {
        const float part = byte <= 0 ? 0.0f : byte >= 255 ? 1.0f : (byte + 0.5f) / 256.0f;
        return (part - 0.5f) * 8.0f;
    };
    rows.forEach(names, [&](size_t i, std::span<const float> bytes) {
        for (size_t k = 0; k < higher; ++k) {
            const glm::vec3 rgb(coefficientOf(bytes[k]), coefficientOf(bytes[higher + k]), coefficientOf(bytes[2 * higher + k]));
            gaussians.sh[i * coefficients + 1 + k] = rgb;
        }
    });
}

/// Throws InputError if the number of rows does not match the number of splats.
void requireCount(const fs::path& path, const char* element, size_t found, size_t expected, size_t splats) {
    if (found == expected) return;
    throw InputError("{}: element {} has {} rows, expected {} for {} splats", path.string(), element, found, expected, splats);
}

Gaussians read(const fs::path& path) {
    PlyRows rows(path, "vertex");
    std::optional<PlyRows> higher;
    if (rows.fileHas("sh")) higher.emplace(path, "sh");
    const std::vector<Chunk> chunks = readChunks(path);
    requireCount(path, "chunk", chunks.size(), (rows.count() + kChunkSplats - 1) / kChunkSplats, rows.count());
    if (higher) requireCount(path, "sh", higher->count(), rows.count(), rows.count());
    const std::vector<std::string> packed(kPackedProperties.begin(), kPackedProperties.end());
    for (const std::string& name : packed) requireType(rows, path, name, PlyType::uint32);
    Gaussians gaussians;
    gaussians.resize(rows.count(), higher ? shDegreeOf(*higher, path) : 0);
    gaussians.antialiased = rows.hasComment(kAntialiasedComment);
    rows.forEach<double>(packed, [&](size_t i, std::span<const double> v) {
        const Chunk& chunk = chunks[i / kChunkSplats];
        const uint32_t colour = wordOf(v[3]);
        gaussians.means[i] = between(chunk.minPosition, chunk.maxPosition, unpack111011(wordOf(v[0])));
        gaussians.rotations[i] = unpackRotation(wordOf(v[1]));
        gaussians.logScales[i] = between(chunk.minLogScale, chunk.maxLogScale, unpack111011(wordOf(v[2])));
        gaussians.logitOpacities[i] = logitOfByte(static_cast<uint8_t>(colour & 0xffu));
        const glm::vec3 rgb(part(colour, 24, 8), part(colour, 16, 8), part(colour, 8, 8));
        gaussians.sh[i * shCoefficients(gaussians.shDegree)] = dcOfColour(between(chunk.minColour, chunk.maxColour, rgb));
    });
    if (higher) readHigherCoefficients(gaussians, *higher, path);
    requireFinite(path, gaussians);
    return gaussians;
}

/// Recognised by a property in the header that no other PLY has.
bool recognises(std::string_view head) {
    return startsAsPly(head) && head.substr(0, head.find("end_header")).find(kPackedProperties[0]) != std::string_view::npos;
}

constexpr SplatWriter kWriters[] = {{"compressed-ply",
                                     "PlayCanvas's and SuperSplat's 16 bytes per splat and 1 per higher coefficient, in Morton order",
                                     writeCompressedPly}};

}  // namespace

extern const SplatFormat kCompressedPlyFormat{
    .name = "compressed PLY",
    .extension = ".compressed.ply",
    .help = "PlayCanvas's and SuperSplat's packed PLY, 16 bytes per splat and 1 byte per higher coefficient",
    .recognises = recognises,
    .read = read,
    .writers = kWriters,
};

}  // namespace splat
