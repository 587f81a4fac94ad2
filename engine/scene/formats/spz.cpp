#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <glm/gtc/packing.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "core/threads.h"
#include "scene/byte_reader.h"
#include "scene/formats/axes.h"
#include "scene/formats/formats.h"
#include "scene/formats/gzip.h"
#include "scene/formats/quantised.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

// Niantic's layout (facts/formats.md 3.3; nianticlabs/spz, load-spz.cc), in gzip: a header, one block an attribute, extensions.

constexpr std::string_view kSignature = "NGSP";
constexpr uint32_t kLastVersion = 3;
constexpr uint32_t kMaxCount = 2147483647;  // the library counts in int
constexpr int kMaxFileDegree = 4;           // one more than a model has
constexpr int kMaxFractionalBits = 24;      // of 24: the model lies between -0.5 and 0.5

enum Flag : uint8_t { antialiased = 1, hasExtensions = 2 };

struct Header {
    std::array<char, 4> signature;
    uint32_t version;
    uint32_t count;
    uint8_t shDegree;
    uint8_t fractionalBits;  ///< of positions, from version 2 on
    uint8_t flags;
    uint8_t reserved;
};
static_assert(sizeof(Header) == 16);

template <class Value>
void requireRange(const fs::path& path, const char* property, Value found, Value least, Value most) {
    if (least <= found && found <= most) return;
    throw InputError("{}: {} is {}, expected {} to {}", path.string(), property, found, least, most);
}

Header readHeader(const fs::path& path, GzipReader& gzip) {
    Header header;
    std::memcpy(&header, gzip.read(sizeof(Header), "the header").data(), sizeof(Header));
    if (std::string_view(header.signature.data(), header.signature.size()) != kSignature) {
        throw InputError("{}: another kind of file in gzip, expected SPZ, which starts with '{}'", path.string(), kSignature);
    }
    requireRange<uint32_t>(path, "the SPZ version", header.version, 1, kLastVersion);
    requireRange<uint32_t>(path, "the number of splats", header.count, 1, kMaxCount);
    requireRange<int>(path, "the SH degree", header.shDegree, 0, kMaxFileDegree);
    if (header.version > 1) requireRange<int>(path, "the number of fractional bits", header.fractionalBits, 0, kMaxFractionalBits);
    return header;
}

/// Header and blocks in memory: one block an attribute, one item a splat.
class Packed {
public:
    Packed(const fs::path& path, GzipReader& gzip, uint64_t fileBytes);
    Packed(const Packed&) = delete;
    Packed& operator=(const Packed&) = delete;

    const Header& header() const { return header_; }
    glm::vec3 position(size_t i) const { return {coordinate(3 * i), coordinate(3 * i + 1), coordinate(3 * i + 2)}; }
    glm::vec4 rotation(size_t i) const;
    glm::vec3 logScale(size_t i) const { return triple(scales_, i) / 16.0f - 10.0f; }
    float logitOpacity(size_t i) const { return logitOfByte(opacities_[i]); }
    glm::vec3 dc(size_t i) const { return (triple(colours_, i) / 255.0f - 0.5f) / 0.15f; }
    /// The coefficient k of splat i, k from 1 on.
    glm::vec3 higher(size_t i, size_t k) const { return (triple(higher_, i * higherCount_ + k - 1) - 128.0f) / 128.0f; }

private:
    using Block = std::span<const uint8_t>;

    static glm::vec3 triple(Block block, size_t i) { return {block[3 * i], block[3 * i + 1], block[3 * i + 2]}; }
    float coordinate(size_t item) const;
    bool halfPositions() const { return header_.version == 1; }
    bool smallestThree() const { return header_.version >= 3; }

    Header header_;
    size_t higherCount_;  ///< coefficients beyond the constant one
    std::vector<std::byte> bytes_;
    Block positions_, opacities_, colours_, scales_, rotations_, higher_;
};

Packed::Packed(const fs::path& path, GzipReader& gzip, uint64_t fileBytes)
    : header_(readHeader(path, gzip)), higherCount_(shCoefficients(header_.shDegree) - 1) {
    const size_t positionBytes = halfPositions() ? 6 : 9, rotationBytes = smallestThree() ? 4 : 3;
    const size_t splatBytes = positionBytes + 1 + 3 + 3 + rotationBytes + 3 * higherCount_;
    const uint64_t most = fileBytes * kMaxInflation / splatBytes;
    if (header_.count > most) {
        throw InputError("{}: the number of splats is {}, expected at most {} (damaged or truncated: {} bytes in all)", path.string(),
                         header_.count, most, fileBytes);
    }
    bytes_ = gzip.read(header_.count * splatBytes, "the splats");
    Block rest(reinterpret_cast<const uint8_t*>(bytes_.data()), bytes_.size());
    const auto take = [&](size_t bytesEach) {
        const Block block = rest.first(header_.count * bytesEach);
        rest = rest.subspan(block.size());
        return block;
    };
    positions_ = take(positionBytes);
    opacities_ = take(1);
    colours_ = take(3);
    scales_ = take(3);
    rotations_ = take(rotationBytes);
    higher_ = take(3 * higherCount_);
}

/// 24 bits with a sign.
int32_t fixed24(std::span<const uint8_t, 3> b) {
    const uint32_t top = uint32_t{b[0]} << 8u | uint32_t{b[1]} << 16u | uint32_t{b[2]} << 24u;
    return static_cast<int32_t>(top) >> 8;  // brings the sign down with it
}

float Packed::coordinate(size_t item) const {
    if (halfPositions()) return glm::unpackHalf1x16(static_cast<uint16_t>(positions_[2 * item] | positions_[2 * item + 1] << 8));
    return std::ldexp(static_cast<float>(fixed24(positions_.subspan(3 * item).first<3>())), -header_.fractionalBits);
}

/// Two bits say which of x, y, z, w is the largest and left out; sign and nine bits of each of the others follow in their order.
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

glm::vec4 Packed::rotation(size_t i) const {
    if (!smallestThree()) return completed(glm::vec4(0, triple(rotations_, i) / 127.5f - 1.0f), 0);
    uint32_t word;
    std::memcpy(&word, &rotations_[4 * i], sizeof word);
    return unpackSmallestThree(word);
}

Gaussians unpack(const Packed& packed) {
    constexpr size_t kSlice = 4096;  // splats a thread takes at a time
    const size_t count = packed.header().count;
    Gaussians gaussians;
    gaussians.resize(count, std::min<int>(packed.header().shDegree, kMaxShDegree));
    gaussians.antialiased = packed.header().flags & antialiased;
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    parallelFor((count + kSlice - 1) / kSlice, [&](size_t slice) {
        for (size_t i = slice * kSlice; i < std::min(count, (slice + 1) * kSlice); ++i) {
            gaussians.means[i] = packed.position(i);
            gaussians.rotations[i] = packed.rotation(i);
            gaussians.logScales[i] = packed.logScale(i);
            gaussians.logitOpacities[i] = packed.logitOpacity(i);
            glm::vec3* sh = &gaussians.sh[i * coefficients];
            sh[0] = packed.dc(i);
            for (size_t k = 1; k < coefficients; ++k) sh[k] = packed.higher(i, k);
        }
    });
    return gaussians;
}

// Coordinate systems by their axes: Left or Right, Down or Up, Back or Front, in this order 1 to 8; from 9 on, y and z are exchanged too.
constexpr uint32_t kCoordinateSystemExtension = 0xadbe0003;
constexpr uint32_t kRightUpBack = 4, kLastUnturned = 8;

/// What the extensions say, or what the format says where they say nothing.
uint32_t coordinateSystemOf(const fs::path& path, std::span<const std::byte> extensions) {
    uint32_t system = kRightUpBack;
    ByteReader reader(path, extensions);
    while (reader.left() > 0) {
        const auto type = reader.read<uint32_t>("an extension's type");
        size_t unread = reader.read<uint32_t>("an extension's length");
        if (type == kCoordinateSystemExtension && unread >= sizeof system) {
            system = reader.read<uint32_t>("the coordinate system");
            requireRange<uint32_t>(path, "the coordinate system (1: LDB to 8: RUF)", system, 1, kLastUnturned);
            unread -= sizeof system;
        }
        reader.skip(unread, "an extension");
    }
    return system;
}

/// The signs that bring the axes to a PLY's: right, down, front.
glm::vec3 signsToPly(uint32_t system) {
    const uint32_t bits = system - 1;
    return {bits & 1u ? 1 : -1, bits & 2u ? -1 : 1, bits & 4u ? 1 : -1};
}

Gaussians read(const fs::path& path) {
    constexpr size_t kMaxExtensionBytes = size_t{1} << 20u;  // known ones have a few dozen
    const std::vector<std::byte> bytes = readFile(path);
    if (std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(kSignature)) {
        throw InputError("{}: SPZ that is not in gzip, as version 4 is, expected version 1 to {} in gzip", path.string(), kLastVersion);
    }
    GzipReader gzip(path, bytes);
    const Packed packed(path, gzip, bytes.size());
    std::vector<std::byte> extensions = gzip.readRest(kMaxExtensionBytes);
    if (!(packed.header().flags & hasExtensions)) extensions.clear();  // what follows is nobody's
    const uint32_t system = coordinateSystemOf(path, extensions);
    Gaussians gaussians = unpack(packed);
    requireFinite(path, gaussians);
    flipAxes(gaussians, signsToPly(system));
    if (packed.header().shDegree > kMaxShDegree) {
        spdlog::warn("{}: SH degree {}, read up to {}", path.string(), packed.header().shDegree, kMaxShDegree);
    }
    return gaussians;
}

bool recognises(std::string_view head) { return head.starts_with(kGzipSignature) || head.starts_with(kSignature); }

}  // namespace

const SplatFormat kSpzFormat{
    .name = "SPZ",
    .extension = ".spz",
    .help = "Niantic's compressed splats, versions 1 to 3",
    .recognises = recognises,
    .read = read,
};

}  // namespace splat
