#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <glm/gtc/packing.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/files/byte_reader.h>
#include <splatwright/scene/files/require_range.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

// Layout of mkkellogg's viewer (github.com/mkkellogg/GaussianSplats3D, SplatBuffer.js): a header, a header per section, and the sections. A section
// has the sizes of its partly filled buckets, the buckets' centres, and splats bucket by bucket, the full buckets first.

struct FileHeader {
    uint8_t major, minor;
    uint16_t unused;
    uint32_t maxSections, sections, maxSplats, splats;
    uint16_t mode;
    uint16_t unusedToo;
    std::array<float, 3> centre;
    float shLow, shHigh;  ///< of coefficients in 8 bits
};
static_assert(sizeof(FileHeader) == 44);
constexpr size_t kFileHeaderBytes = 4096;  // with unused ones

struct SectionHeader {
    uint32_t splats, maxSplats;  ///< there is space for maxSplats
    uint32_t bucketSplats, buckets;
    float blockSize;  ///< edge of the cube of a bucket
    uint16_t bucketBytes;
    uint16_t unused;
    uint32_t range;  ///< steps in half an edge
    uint32_t bytes;
    uint32_t fullBuckets, partialBuckets;
    uint16_t shDegree;
    uint16_t unusedToo;
};
static_assert(sizeof(SectionHeader) == 44);
constexpr size_t kSectionHeaderBytes = 1024;  // with unused ones

/// One splat in a compression mode: position, scale, rotation (w, x, y, z), colour with opacity, and higher coefficients.
struct Mode {
    bool half;                                     ///< 16-bit floats, and positions in steps from the bucket's centre
    size_t shBytes;                                ///< per number
    size_t position, scale, rotation, colour, sh;  ///< offsets
};
constexpr std::array<Mode, 3> kModes{{{false, 4, 0, 12, 24, 40, 44}, {true, 2, 0, 6, 12, 20, 24}, {true, 1, 0, 6, 12, 20, 24}}};
constexpr uint32_t kUsualRange = 32767;
constexpr float kUsualSh = 1.5f;  // bounds of coefficients in 8 bits, where the header has zero

struct Section {
    SectionHeader header;
    size_t first;  ///< index of its first splat in the model
    size_t bytesEach;
    std::span<const std::byte> centres;  ///< three floats per bucket
    std::vector<uint64_t> bucketEnds;    ///< the splats before the end of each bucket
    std::span<const std::byte> splats;
};

struct File {
    Mode mode;
    float shLow, shHigh;
    std::vector<Section> sections;
    size_t count = 0;
    int shDegree = 0;  ///< the highest of the sections
};

FileHeader readHeader(const fs::path& path, ByteReader& reader) {
    const auto header = reader.read<FileHeader>("the header");
    if (header.major != 0 || header.minor == 0) {
        throw InputError("{}: the version is {}.{}, expected 0.1", path.string(), header.major, header.minor);
    }
    requireRange<int>(path, "the compression mode", header.mode, 0, static_cast<int>(kModes.size()) - 1);
    reader.skip(kFileHeaderBytes - sizeof header, "the header");
    return header;
}

SectionHeader readSectionHeader(const fs::path& path, ByteReader& reader) {
    auto header = reader.read<SectionHeader>("a section's header");
    reader.skip(kSectionHeaderBytes - sizeof header, "a section's header");
    requireRange<int>(path, "the SH degree", header.shDegree, 0, kMaxShDegree);
    requireRange<uint32_t>(path, "the number of splats in a section", header.splats, 0, header.maxSplats);
    if (header.range == 0) header.range = kUsualRange;
    return header;
}

/// Where each bucket ends. Throws InputError unless there is a centre for each bucket and the buckets hold the section's splats.
std::vector<uint64_t> bucketEnds(const fs::path& path, const SectionHeader& header, const std::vector<uint32_t>& partialSizes) {
    requireRange<uint64_t>(path, "the number of buckets in use", uint64_t{header.fullBuckets} + partialSizes.size(), 0, header.buckets);
    std::vector<uint64_t> ends;
    uint64_t end = 0;
    for (uint32_t b = 0; b < header.fullBuckets; ++b) ends.push_back(end += header.bucketSplats);
    for (const uint32_t size : partialSizes) ends.push_back(end += size);
    if (end >= header.splats) return ends;
    throw InputError("{}: the buckets of a section have {} splats, expected {}", path.string(), end, header.splats);
}

Section readSection(const fs::path& path, ByteReader& reader, const SectionHeader& header, const Mode& mode) {
    constexpr uint16_t kCentreBytes = 12;
    Section section{.header = header, .first = 0, .bytesEach = mode.sh + 3 * mode.shBytes * (shCoefficients(header.shDegree) - 1)};
    const auto partialSizes = reader.readValues<uint32_t>(header.partialBuckets, "the sizes of partly filled buckets");
    if (mode.half) requireRange(path, "the bytes per bucket", header.bucketBytes, kCentreBytes, kCentreBytes);
    section.centres = reader.readBytes(size_t{header.bucketBytes} * header.buckets, "the centres of buckets");
    if (mode.half) section.bucketEnds = bucketEnds(path, header, partialSizes);
    section.splats = reader.readBytes(section.bytesEach * header.maxSplats, "the splats");
    return section;
}

File readSections(const fs::path& path, std::span<const std::byte> bytes) {
    ByteReader reader(path, bytes);
    const FileHeader header = readHeader(path, reader);
    requireRange<size_t>(path, "the number of sections", header.maxSections, 0, reader.left() / kSectionHeaderBytes);
    std::vector<SectionHeader> headers;
    for (uint32_t s = 0; s < header.maxSections; ++s) headers.push_back(readSectionHeader(path, reader));
    File file{.mode = kModes[header.mode],
              .shLow = header.shLow == 0 ? -kUsualSh : header.shLow,
              .shHigh = header.shHigh == 0 ? kUsualSh : header.shHigh};
    for (const SectionHeader& each : headers) {
        file.sections.push_back(readSection(path, reader, each, file.mode));
        file.sections.back().first = file.count;
        file.count += each.splats;
        if (each.splats > 0) file.shDegree = std::max<int>(file.shDegree, each.shDegree);
    }
    if (file.count == header.splats && file.count > 0) return file;
    throw InputError("{}: the sections have {} splats, expected {} and at least one", path.string(), file.count, header.splats);
}

/// Reads the splats of one section into the model.
class Unpacker {
public:
    Unpacker(const File& file, const Section& section, Gaussians& gaussians)
        : file_(file),
          mode_(file.mode),
          section_(section),
          gaussians_(gaussians),
          step_(section.header.blockSize / 2 / static_cast<float>(section.header.range)) {}

    void unpack(size_t from, size_t to) const {
        size_t bucket = static_cast<size_t>(std::ranges::upper_bound(section_.bucketEnds, from) - section_.bucketEnds.begin());
        for (size_t i = from; i < to; ++i) {
            while (mode_.half && section_.bucketEnds[bucket] <= i) ++bucket;
            unpackOne(section_.splats.data() + i * section_.bytesEach, section_.first + i, bucket);
        }
    }

private:
    void unpackOne(const std::byte* splat, size_t i, size_t bucket) const {
        gaussians_.means[i] = mode_.half ? inBucket(splat + mode_.position, bucket) : valueAt<glm::vec3>(splat + mode_.position);
        gaussians_.logScales[i] = logOfScale(triple(splat + mode_.scale));
        const std::byte* rotation = splat + mode_.rotation;
        gaussians_.rotations[i] =
            unitRotation(mode_.half ? glm::unpackHalf4x16(valueAt<uint64_t>(rotation)) : valueAt<glm::vec4>(rotation));
        const auto colour = valueAt<std::array<uint8_t, 4>>(splat + mode_.colour);
        gaussians_.logitOpacities[i] = logitOfByte(colour[3]);
        glm::vec3* sh = &gaussians_.sh[i * shCoefficients(file_.shDegree)];
        sh[0] = dcOfColour(glm::vec3(colour[0], colour[1], colour[2]) / 255.0f);
        unpackHigher(splat + mode_.sh, sh);
    }

    /// Each degree is channel by channel.
    void unpackHigher(const std::byte* from, glm::vec3* sh) const {
        for (int degree = 1; degree <= section_.header.shDegree; ++degree)
            for (int channel = 0; channel < 3; ++channel)
                for (size_t k = shCoefficients(degree - 1); k < shCoefficients(degree); ++k, from += mode_.shBytes)
                    sh[k][channel] = coefficient(from);
    }

    float coefficient(const std::byte* from) const {
        if (mode_.shBytes == 4) return valueAt<float>(from);
        if (mode_.shBytes == 2) return glm::unpackHalf1x16(valueAt<uint16_t>(from));
        return file_.shLow + static_cast<float>(valueAt<uint8_t>(from)) / 255.0f * (file_.shHigh - file_.shLow);
    }

    glm::vec3 triple(const std::byte* from) const {
        if (!mode_.half) return valueAt<glm::vec3>(from);
        const auto halves = valueAt<std::array<uint16_t, 3>>(from);
        return {glm::unpackHalf1x16(halves[0]), glm::unpackHalf1x16(halves[1]), glm::unpackHalf1x16(halves[2])};
    }

    glm::vec3 inBucket(const std::byte* from, size_t bucket) const {
        const auto steps = valueAt<std::array<uint16_t, 3>>(from);
        const auto centre = valueAt<glm::vec3>(section_.centres.data() + bucket * sizeof(glm::vec3));
        return centre + step_ * (glm::vec3(steps[0], steps[1], steps[2]) - static_cast<float>(section_.header.range));
    }

    const File& file_;
    const Mode& mode_;
    const Section& section_;
    Gaussians& gaussians_;
    float step_;
};

Gaussians read(const fs::path& path) {
    constexpr size_t kSlice = 4096;  // splats per thread and step
    const std::vector<std::byte> bytes = readFile(path);
    const File file = readSections(path, bytes);
    Gaussians gaussians;
    gaussians.resize(file.count, file.shDegree);
    for (const Section& section : file.sections) {
        const Unpacker unpacker(file, section, gaussians);
        parallelSlices(section.header.splats, kSlice, [&](size_t begin, size_t end) { unpacker.unpack(begin, end); });
    }
    requireFinite(path, gaussians);
    return gaussians;
}

}  // namespace

extern const SplatFormat kKsplatFormat{
    .name = ".ksplat",
    .extension = ".ksplat",
    .help = "mkkellogg's splats in buckets, of all three compression modes",
    .recognises = nullptr,
    .read = read,
};

}  // namespace splat
