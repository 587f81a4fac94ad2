#include <algorithm>
#include <cmath>
#include <optional>

#include <splatwright/core/error.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply_header.h>
#include <splatwright/scene/formats/ply_sh.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

// PlayCanvas's layout (github.com/playcanvas/splat-transform, write-compressed-ply.ts and decompress-ply.ts): chunks of splats with bounds
// in a separate element, four packed words per splat relative to those bounds, and one byte per higher coefficient.

constexpr size_t kChunkSplats = 256;
constexpr const char* kPackedPosition = "packed_position";
const std::vector<std::string> kPackedNames{kPackedPosition, "packed_rotation", "packed_scale", "packed_color"};

/// Bounds that the packed values 0..1 of a chunk's splats are interpolated between.
struct Chunk {
    glm::vec3 minPosition, maxPosition;
    glm::vec3 minLogScale, maxLogScale;
    glm::vec3 minColour{0}, maxColour{1};  ///< of 0.5 + SH; 0 and 1 in older files without these bounds
};

std::vector<Chunk> readChunks(const fs::path& path) {
    PlyRows rows(path, "chunk");
    std::vector<std::string> names{"min_x",       "min_y",       "min_z",       "max_x",       "max_y",       "max_z",
                                   "min_scale_x", "min_scale_y", "min_scale_z", "max_scale_x", "max_scale_y", "max_scale_z"};
    const bool coloured = rows.has("min_r");
    if (coloured) names.insert(names.end(), {"min_r", "min_g", "min_b", "max_r", "max_g", "max_b"});
    rows.require(names);
    std::vector<Chunk> chunks(rows.count());
    rows.forEach(names, [&](size_t i, std::span<const float> v) {
        const auto triple = [&](size_t first) { return glm::vec3(v[first], v[first + 1], v[first + 2]); };
        chunks[i] = {triple(0), triple(3), triple(6), triple(9)};
        if (!coloured) return;
        chunks[i].minColour = triple(12);
        chunks[i].maxColour = triple(15);
    });
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
    for (const std::string& name : kPackedNames) requireType(rows, path, name, PlyType::uint32);
    Gaussians gaussians;
    gaussians.resize(rows.count(), higher ? shDegreeOf(*higher, path) : 0);
    rows.forEach<double>(kPackedNames, [&](size_t i, std::span<const double> v) {
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
    return startsAsPly(head) && head.substr(0, head.find("end_header")).find(kPackedPosition) != std::string_view::npos;
}

}  // namespace

extern const SplatFormat kCompressedPlyFormat{
    .name = "compressed PLY",
    .extension = ".compressed.ply",
    .help = "PlayCanvas's and SuperSplat's packed PLY, 16 bytes per splat and 1 byte per higher coefficient",
    .recognises = recognises,
    .read = read,
};

}  // namespace splat
