#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {
namespace {

/// One splat in the file, little endian (github.com/antimatter15/splat, convert.py and main.js).
struct Record {
    glm::vec3 position;
    glm::vec3 scale;                  ///< linear, not its logarithm
    std::array<uint8_t, 4> colour;    ///< red, green, blue of 0.5 + SH, and opacity
    std::array<uint8_t, 4> rotation;  ///< w, x, y, z of the unit quaternion as 128 + 128 q
};
static_assert(sizeof(Record) == 32);

size_t countOf(const std::filesystem::path& path, uint64_t bytes) {
    if (bytes == 0 || bytes % sizeof(Record) != 0) {
        throw InputError("{}: found {} bytes, expected a multiple of {} and at least one (a .splat file has no header)", path.string(),
                         bytes, sizeof(Record));
    }
    return bytes / sizeof(Record);
}

void unpack(const Record& record, Gaussians& gaussians, size_t i) {
    const auto& [w, x, y, z] = record.rotation;
    const glm::vec4 q = (glm::vec4(w, x, y, z) - 128.0f) / 128.0f;
    gaussians.means[i] = record.position;
    gaussians.rotations[i] = q == glm::vec4(0) ? glm::vec4(1, 0, 0, 0) : glm::normalize(q);
    gaussians.logScales[i] = logOfScale(record.scale);
    gaussians.logitOpacities[i] = logitOfByte(record.colour[3]);
    gaussians.sh[i] = dcOfColour(glm::vec3(record.colour[0], record.colour[1], record.colour[2]) / 255.0f);
}

class RecordBlocks : public SplatBlocks {
public:
    explicit RecordBlocks(const std::filesystem::path& path) : RecordBlocks(path, std::make_unique<const RandomAccessFile>(path)) {}

    void visit(size_t block, const Body& body) const override {
        std::vector<Record> records(start(block + 1) - start(block));
        file_->read(start(block) * sizeof(Record), std::as_writable_bytes(std::span(records)));
        Gaussians splats = modelOf(form(), records.size());
        for (size_t i = 0; i < records.size(); ++i) unpack(records[i], splats, i);
        requireFinite(path_, splats, 0, splats.count(), start(block));
        body(splats, 0, splats.count());
    }

private:
    RecordBlocks(const std::filesystem::path& path, std::unique_ptr<const RandomAccessFile> file)
        : SplatBlocks({}, countOf(path, file->size())), path_(path), file_(std::move(file)) {}

    const std::filesystem::path path_;
    std::unique_ptr<const RandomAccessFile> file_;
};

std::unique_ptr<SplatBlocks> openBlocks(const std::filesystem::path& path) { return std::make_unique<RecordBlocks>(path); }

Gaussians read(const std::filesystem::path& path) { return readBlocks(RecordBlocks(path)); }

Record pack(const Gaussians& gaussians, size_t i, size_t coefficients) {
    const glm::vec3 colour = 255.0f * colourOfDc(gaussians.sh[i * coefficients]);
    const glm::vec4 q = 128.0f + 128.0f * glm::normalize(gaussians.rotations[i]);
    return {.position = gaussians.means[i],
            .scale = scaleOfLog(gaussians.logScales[i]),
            .colour = {byteOf(colour.r), byteOf(colour.g), byteOf(colour.b), byteOf(255 * opacityOfLogit(gaussians.logitOpacities[i]))},
            .rotation = {byteOf(q.x), byteOf(q.y), byteOf(q.z), byteOf(q.w)}};
}

void writeBlocks(const std::filesystem::path& path, const SplatBlocks& blocks) {
    requireSplats(path, blocks.count());
    AtomicFile file(path);
    file.writeParts(blocks.count() * sizeof(Record), blocks.blocks(), [&](size_t block, const AtomicFile::Put& put) {
        blocks.visit(block, [&](const Gaussians& splats, size_t first, size_t end) {
            requireFinite(path, splats, first, end, blocks.start(block));
            std::vector<Record> records;
            for (size_t i = first; i < end; ++i) records.push_back(pack(splats, i, shCoefficients(splats.shDegree)));
            put(blocks.start(block) * sizeof(Record), std::as_bytes(std::span(records)));
        });
    });
    file.commit();
}

void write(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    writeBlocks(path, BlocksInMemory(gaussians));
}

constexpr SplatWriter kWriters[] = {{"splat",
                                     "8 bits for colour, opacity and rotation, no view-dependent colour; viewers of the web read it", write,
                                     nullptr, writeBlocks}};

}  // namespace

extern const SplatFormat kSplatFormat{
    .name = ".splat",
    .extension = ".splat",
    .help = "antimatter15's 32 bytes per splat, without view-dependent colour",
    .recognises = nullptr,
    .read = read,
    .writers = kWriters,
    .open = openBlocks,
};

}  // namespace splat
