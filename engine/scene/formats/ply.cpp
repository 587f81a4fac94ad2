#include <splatwright/scene/formats/ply.h>

#include <algorithm>
#include <cstring>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply_header.h>
#include <splatwright/scene/formats/ply_sh.h>
#include <splatwright/scene/gaussians/attributes.h>

namespace splat {
namespace {

/// Calls visit(row, plane, word) for every value of a Gaussian, in the order of the reference's files.
template <class Visit>
void forEachNumber(int degree, Visit&& visit) {
    for (const AttributeRow& row : kAttributes)
        for (uint32_t word = 0; word < row.words; ++word)
            for (uint32_t plane = 0; plane < planesAt(row, degree); ++plane) visit(row, plane, word);
}

std::vector<std::string> propertiesOf(int degree) {
    std::vector<std::string> names;
    forEachNumber(degree,
                  [&](const AttributeRow& row, uint32_t plane, uint32_t word) { names.push_back(plyProperty(row, degree, plane, word)); });
    return names;
}

/// One value of every Gaussian: a word of a plane.
template <class Float>
struct Column {
    HostPlane<Float> plane;
    uint32_t word;
    Float& operator[](size_t gaussian) const { return plane.first[gaussian * plane.stride + word]; }
};

/// In the order of forEachNumber().
template <class Float, class Model>
std::vector<Column<Float>> columnsOf(Model& gaussians) {
    std::vector<Column<Float>> columns;
    forEachNumber(gaussians.shDegree, [&](const AttributeRow& row, uint32_t plane, uint32_t word) {
        columns.push_back({hostPlane(gaussians, row, plane), word});
    });
    return columns;
}

// The reference's files have normals after the positions; they are zero.
constexpr size_t kPositionFloats = rowOf(Attribute::means).words, kNormalFloats = 3;

std::string header(const Gaussians& gaussians) {
    std::vector<std::string> names = propertiesOf(gaussians.shDegree);
    names.insert(names.begin() + kPositionFloats, {"nx", "ny", "nz"});
    std::string text = "ply\nformat binary_little_endian 1.0\n";
    if (gaussians.antialiased) text += fmt::format("comment {}\n", kAntialiasedComment);
    text += fmt::format("element vertex {}\n", gaussians.count());
    for (const std::string& name : names) text += "property float " + name + "\n";
    return text + "end_header\n";
}

}  // namespace

namespace {
constexpr SplatWriter kWriters[] = {{"ply", "lossless, 32-bit floats, little endian; every program reads it", writePly}};
}

extern const SplatFormat kPlyFormat{
    .name = "PLY",
    .extension = ".ply",
    .help = "the 3DGS layout (x, f_dc_0, scale_0, ...), lossless",
    .recognises = startsAsPly,
    .read = readPly,
    .writers = kWriters,
};

Gaussians readPly(const std::filesystem::path& path) {
    PlyRows rows(path, "vertex");
    const int degree = shDegreeOf(rows, path);
    const std::vector<std::string> properties = propertiesOf(degree);
    rows.require(properties);
    Gaussians gaussians;
    gaussians.resize(rows.count(), degree);
    gaussians.antialiased = rows.hasComment(kAntialiasedComment);
    const std::vector<Column<float>> columns = columnsOf<float>(gaussians);
    rows.forEach(properties, [&](size_t i, std::span<const float> values) {
        for (size_t c = 0; c < columns.size(); ++c) columns[c][i] = values[c];
        // The reference normalises a zero quaternion to the identity.
        if (gaussians.rotations[i] == glm::vec4(0)) gaussians.rotations[i] = glm::vec4(1, 0, 0, 0);
    });
    return gaussians;
}

void writePly(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    constexpr size_t kSlice = 4096;  // rows per thread and step
    const std::string head = header(gaussians);
    const std::vector<Column<const float>> columns = columnsOf<const float>(gaussians);
    const size_t floats = columns.size() + kNormalFloats;
    std::vector<std::byte> bytes(head.size() + gaussians.count() * floats * sizeof(float));
    std::memcpy(bytes.data(), head.data(), head.size());
    parallelFor((gaussians.count() + kSlice - 1) / kSlice, [&](size_t slice) {
        std::vector<float> row(floats);
        for (size_t i = slice * kSlice; i < std::min(gaussians.count(), (slice + 1) * kSlice); ++i) {
            for (size_t c = 0; c < columns.size(); ++c) row[c < kPositionFloats ? c : c + kNormalFloats] = columns[c][i];
            std::memcpy(bytes.data() + head.size() + i * floats * sizeof(float), row.data(), floats * sizeof(float));
        }
    });
    writeFileAtomically(path, bytes);
}

}  // namespace splat
