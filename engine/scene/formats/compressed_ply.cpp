#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

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

void requireType(const PlyRows& rows, const fs::path& path, const std::string& property, PlyType type) {
    if (rows.typeOf(property) == type) return;
    throw InputError("{}: property {} is {}, expected {}", path.string(), property, nameOf(rows.typeOf(property)), nameOf(type));
}

/// -4 to 4, by byte. The first and last step stand for the ends, the others for their middle, because the writer truncates.
std::array<float, 256> coefficientsOfBytes() {
    std::array<float, 256> values{};
    for (size_t byte = 0; byte < values.size(); ++byte) {
        const float part = byte == 0 ? 0.0f : byte == 255 ? 1.0f : (static_cast<float>(byte) + 0.5f) / 256.0f;
        values[byte] = (part - 0.5f) * 8.0f;
    }
    return values;
}

/// Throws InputError if the number of rows does not match the number of splats.
void requireCount(const fs::path& path, const char* element, size_t found, size_t expected, size_t splats) {
    if (found == expected) return;
    throw InputError("{}: element {} has {} rows, expected {} for {} splats", path.string(), element, found, expected, splats);
}

/// The elements of a file, and how their rows become splats.
class PackedFile {
public:
    explicit PackedFile(const fs::path& path) : path_(path), rows_(path, "vertex"), chunks_(readChunks(path)) {
        if (rows_.fileHas("sh")) higher_.emplace(path, "sh");
        requireCount(path, "chunk", chunks_.size(), (rows_.count() + kChunkSplats - 1) / kChunkSplats, rows_.count());
        for (const std::string& name : packed_) requireType(rows_, path, name, PlyType::uint32);
        form_.antialiased = rows_.hasComment(kAntialiasedComment);
        if (!higher_) return;
        requireCount(path, "sh", higher_->count(), rows_.count(), rows_.count());
        form_.shDegree = shDegreeOf(*higher_, path);
        for (size_t value = 0; value < 3 * (shCoefficients(form_.shDegree) - 1); ++value) {
            bytes_.push_back(fmt::format("f_rest_{}", value));
            requireType(*higher_, path, bytes_.back(), PlyType::uint8);
        }
    }

    const Gaussians& form() const { return form_; }
    size_t count() const { return rows_.count(); }
    bool isBinary() const { return rows_.isBinary(); }

    Gaussians read() {
        Gaussians gaussians = modelOf(form_, count());
        rows_.forEach<uint32_t>(packed_, unpacking(gaussians, 0));
        if (higher_) higher_->forEach<uint8_t>(bytes_, addingCoefficients(gaussians));
        requireFinite(path_, gaussians);
        return gaussians;
    }
    Gaussians read(size_t first, size_t end, const Gaussians& form) const {
        Gaussians gaussians = modelOf(form, end - first);
        rows_.forSome<uint32_t>(first, end, packed_, unpacking(gaussians, first));
        if (higher_) higher_->forSome<uint8_t>(first, end, bytes_, addingCoefficients(gaussians));
        requireFinite(path_, gaussians, 0, gaussians.count(), first);
        return gaussians;
    }

private:
    /// `first`: index in the file of the model's first splat.
    PlyConversion<uint32_t>::Body unpacking(Gaussians& gaussians, size_t first) const {
        return [this, &gaussians, first](size_t i, std::span<const uint32_t> v) {
            const Chunk& chunk = chunks_[(first + i) / kChunkSplats];
            const uint32_t colour = v[3];
            gaussians.means[i] = between(chunk.minPosition, chunk.maxPosition, unpack111011(v[0]));
            gaussians.rotations[i] = unpackRotation(v[1]);
            gaussians.logScales[i] = between(chunk.minLogScale, chunk.maxLogScale, unpack111011(v[2]));
            gaussians.logitOpacities[i] = logits_[colour & 0xffu];
            const glm::vec3 rgb(part(colour, 24, 8), part(colour, 16, 8), part(colour, 8, 8));
            gaussians.sh[i * shCoefficients(gaussians.shDegree)] = dcOfColour(between(chunk.minColour, chunk.maxColour, rgb));
        };
    }

    PlyConversion<uint8_t>::Body addingCoefficients(Gaussians& gaussians) const {
        return [this, &gaussians, higher = shCoefficients(form_.shDegree) - 1](size_t i, std::span<const uint8_t> bytes) {
            glm::vec3* to = &gaussians.sh[i * (higher + 1) + 1];
            for (size_t k = 0; k < higher; ++k)
                to[k] = {coefficients_[bytes[k]], coefficients_[bytes[higher + k]], coefficients_[bytes[2 * higher + k]]};
        };
    }

    const fs::path path_;
    const std::vector<std::string> packed_{kPackedProperties.begin(), kPackedProperties.end()};
    const std::array<float, 256> logits_ = logitsOfBytes(), coefficients_ = coefficientsOfBytes();
    PlyRows rows_;
    std::optional<PlyRows> higher_;
    std::vector<Chunk> chunks_;
    std::vector<std::string> bytes_;
    Gaussians form_;
};

Gaussians read(const fs::path& path) { return PackedFile(path).read(); }

std::unique_ptr<SplatBlocks> openBlocks(const fs::path& path) {
    auto file = std::make_unique<const PackedFile>(path);
    if (!file->isBinary()) return nullptr;
    const size_t count = file->count();
    Gaussians form = file->form();
    return std::make_unique<FileBlocks<PackedFile>>(std::move(form), count, std::move(file));
}

/// Recognised by a property in the header that no other PLY has.
bool recognises(std::string_view head) {
    return startsAsPly(head) && head.substr(0, head.find("end_header")).find(kPackedProperties[0]) != std::string_view::npos;
}

constexpr SplatWriter kWriters[] = {
    {"compressed-ply", "PlayCanvas's and SuperSplat's 16 bytes per splat and 1 per higher coefficient, in chunks of neighbours",
     writeCompressedPly}};

}  // namespace

extern const SplatFormat kCompressedPlyFormat{
    .name = "compressed PLY",
    .extension = ".compressed.ply",
    .help = "PlayCanvas's and SuperSplat's packed PLY, 16 bytes per splat and 1 byte per higher coefficient",
    .recognises = recognises,
    .read = read,
    .writers = kWriters,
    .open = openBlocks,
};

}  // namespace splat
