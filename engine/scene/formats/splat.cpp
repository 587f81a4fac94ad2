#include <algorithm>
#include <array>
#include <cstring>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/quantised.h>

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

constexpr size_t kSliceRecords = 4096;     // per thread and step
constexpr float kLargestLogScale = 88.7f;  // above it, exp() is infinite

Gaussians read(const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = readFile(path);
    if (bytes.empty() || bytes.size() % sizeof(Record) != 0) {
        throw InputError("{}: found {} bytes, expected a multiple of {} and at least one (a .splat file has no header)", path.string(),
                         bytes.size(), sizeof(Record));
    }
    Gaussians gaussians;
    gaussians.resize(bytes.size() / sizeof(Record), 0);
    parallelEach(gaussians.count(), kSliceRecords, [&](size_t i) {
        Record record;
        std::memcpy(&record, &bytes[i * sizeof(Record)], sizeof(Record));
        const auto& [w, x, y, z] = record.rotation;
        const glm::vec4 q = (glm::vec4(w, x, y, z) - 128.0f) / 128.0f;
        gaussians.means[i] = record.position;
        gaussians.rotations[i] = q == glm::vec4(0) ? glm::vec4(1, 0, 0, 0) : glm::normalize(q);
        gaussians.logScales[i] = logOfScale(record.scale);
        gaussians.logitOpacities[i] = logitOfByte(record.colour[3]);
        gaussians.sh[i] = dcOfColour(glm::vec3(record.colour[0], record.colour[1], record.colour[2]) / 255.0f);
    });
    requireFinite(path, gaussians);
    return gaussians;
}

void write(const std::filesystem::path& path, const Gaussians& gaussians) {
    requireWritable(path, gaussians);
    std::vector<std::byte> bytes(gaussians.count() * sizeof(Record));
    const size_t coefficients = shCoefficients(gaussians.shDegree);
    parallelEach(gaussians.count(), kSliceRecords, [&](size_t i) {
        const glm::vec3 colour = 255.0f * colourOfDc(gaussians.sh[i * coefficients]);
        const glm::vec4 q = 128.0f + 128.0f * glm::normalize(gaussians.rotations[i]);
        const Record record{
            .position = gaussians.means[i],
            .scale = glm::exp(glm::min(gaussians.logScales[i], kLargestLogScale)),
            .colour = {byteOf(colour.r), byteOf(colour.g), byteOf(colour.b), byteOf(255 * opacityOfLogit(gaussians.logitOpacities[i]))},
            .rotation = {byteOf(q.x), byteOf(q.y), byteOf(q.z), byteOf(q.w)}};
        std::memcpy(&bytes[i * sizeof(Record)], &record, sizeof(Record));
    });
    writeFileAtomically(path, bytes);
}

constexpr SplatWriter kWriters[] = {
    {"splat", "8 bits for colour, opacity and rotation, no view-dependent colour; viewers of the web read it", write}};

}  // namespace

extern const SplatFormat kSplatFormat{
    .name = ".splat",
    .extension = ".splat",
    .help = "antimatter15's 32 bytes per splat, without view-dependent colour",
    .recognises = nullptr,
    .read = read,
    .writers = kWriters,
};

}  // namespace splat
