#include <splatwright/scene/formats/ply.h>

#include <algorithm>

#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/ply_header.h>
#include <splatwright/scene/formats/ply_layout.h>
#include <splatwright/scene/formats/ply_sh.h>
#include <splatwright/scene/formats/quantised.h>

namespace splat {
namespace {

/// Properties of a file that has bytes or fractions for colours, instead of f_dc_*.
constexpr std::array kColours{"red", "green", "blue"};

bool hasColoursOnly(const PlyRows& rows) {
    const auto has = [&](std::string_view name) { return rows.has(std::string(name)); };
    return std::ranges::none_of(rowOf(Attribute::sh0).properties, [&](auto name) { return !name.empty() && has(name); }) &&
           std::ranges::all_of(kColours, has);
}

void eraseZeroNormals(std::vector<ExtraColumn>& extras) {
    const auto isNormal = [](const ExtraColumn& column) { return std::ranges::count(kPlyNormals, column.name) > 0; };
    const auto isZero = [](const ExtraColumn& column) {
        return std::ranges::all_of(column.values, [](std::byte byte) { return byte == std::byte{}; });
    };
    if (std::ranges::all_of(extras, [&](const ExtraColumn& column) { return !isNormal(column) || isZero(column); }))
        std::erase_if(extras, isNormal);
}

constexpr SplatWriter kWriters[] = {{"ply", "lossless, 32-bit floats, little endian; every program reads it", writePly},
                                    {"ply-big-endian", "lossless, 32-bit floats, big endian", writePlyBigEndian},
                                    {"ply-ascii", "lossless, as text; about 3 times as large", writePlyAscii}};

}  // namespace

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
    std::vector<std::string> properties = plyProperties(degree);
    const bool coloured = hasColoursOnly(rows);
    if (coloured) std::ranges::copy(kColours, std::ranges::find(properties, rowOf(Attribute::sh0).properties[0]));
    rows.require(properties);
    const float colourScale = coloured ? colourScaleOf(rows) : 1;
    Gaussians gaussians;
    gaussians.resize(rows.count(), degree);
    gaussians.antialiased = rows.hasComment(kAntialiasedComment);
    gaussians.extras = rows.columnsExcept(properties);
    const PlyRowsInMemory<float> memory(gaussians);
    rows.forEach(
        properties,
        [&](size_t i, std::span<const float> values) {
            memory.store(i, values.data());
            // The reference normalises a zero quaternion to the identity.
            if (gaussians.rotations[i] == glm::vec4(0)) gaussians.rotations[i] = glm::vec4(1, 0, 0, 0);
            glm::vec3& colour = gaussians.sh[i * shCoefficients(degree)];
            if (coloured) colour = dcOfColour(colourScale * colour);
        },
        gaussians.extras);
    eraseZeroNormals(gaussians.extras);
    return gaussians;
}

}  // namespace splat
