#include "scene/formats/ply.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.h"
#include "core/file.h"
#include "core/threads.h"
#include "scene/formats/formats.h"
#include "scene/formats/ply_sh.h"

namespace splat {
namespace {

// Where each attribute starts in the order in which this file reads a row. The order of a written file is that of the reference.
constexpr size_t kMean = 0, kRotation = 3, kLogScale = 7, kOpacity = 10, kSh = 11;

/// The comment that says so of an antialiased model: the layout itself has no place for it.
constexpr const char* kAntialiased = "splatwright antialiased";

std::vector<std::string> readOrder(int degree) {
    std::vector<std::string> names{"x",       "y",       "z",       "rot_0",   "rot_1",  "rot_2",  "rot_3",
                                   "scale_0", "scale_1", "scale_2", "opacity", "f_dc_0", "f_dc_1", "f_dc_2"};
    const std::vector<std::string> higher = higherNames(degree);
    names.insert(names.end(), higher.begin(), higher.end());
    return names;
}

void takeRow(Gaussians& gaussians, size_t i, std::span<const float> v) {
    gaussians.means[i] = {v[kMean], v[kMean + 1], v[kMean + 2]};
    const glm::vec4 rotation(v[kRotation], v[kRotation + 1], v[kRotation + 2], v[kRotation + 3]);
    // The reference's normalisation turns a zero quaternion into the identity, so that is what such a file means.
    gaussians.rotations[i] = rotation == glm::vec4(0) ? glm::vec4(1, 0, 0, 0) : rotation;
    gaussians.logScales[i] = {v[kLogScale], v[kLogScale + 1], v[kLogScale + 2]};
    gaussians.logitOpacities[i] = v[kOpacity];
    glm::vec3* sh = &gaussians.sh[i * shCoefficients(gaussians.shDegree)];
    sh[0] = {v[kSh], v[kSh + 1], v[kSh + 2]};
    takeHigher(sh, v.subspan(kSh + 3));
}

std::string header(const Gaussians& gaussians) {
    std::string text = "ply\nformat binary_little_endian 1.0\n";
    if (gaussians.antialiased) text += fmt::format("comment {}\n", kAntialiased);
    text += fmt::format("element vertex {}\n", gaussians.count());
    const auto add = [&](const std::string& name) { text += "property float " + name + "\n"; };
    for (const char* name : {"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2"}) add(name);
    for (const std::string& name : higherNames(gaussians.shDegree)) add(name);
    for (const char* name : {"opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"}) add(name);
    return text + "end_header\n";
}

/// Writes one row in the header's order; the normals stay zero.
void putRow(const Gaussians& gaussians, size_t i, std::span<float> row) {
    const size_t coefficients = shCoefficients(gaussians.shDegree), higher = coefficients - 1;
    const glm::vec3* sh = &gaussians.sh[i * coefficients];
    float* out = row.data();
    const auto put = [&](float value) { *out++ = value; };
    const auto putAll = [&](const auto& vector, int size) {
        for (int c = 0; c < size; ++c) put(vector[c]);
    };
    putAll(gaussians.means[i], 3);
    putAll(glm::vec3(0), 3);
    putAll(sh[0], 3);
    for (int channel = 0; channel < 3; ++channel) {
        for (size_t k = 1; k <= higher; ++k) put(sh[k][channel]);
    }
    put(gaussians.logitOpacities[i]);
    putAll(gaussians.logScales[i], 3);
    putAll(gaussians.rotations[i], 4);
}

void checkSizes(const Gaussians& g) {
    const size_t count = g.count();
    CHECK(g.rotations.size() == count && g.logScales.size() == count && g.logitOpacities.size() == count &&
              g.sh.size() == count * shCoefficients(g.shDegree),
          "{} means, {} rotations, {} scales, {} opacities, {} coefficients of degree {}", count, g.rotations.size(), g.logScales.size(),
          g.logitOpacities.size(), g.sh.size(), g.shDegree);
}

bool recognises(std::string_view head) { return head.starts_with("ply\n") || head.starts_with("ply\r"); }

}  // namespace

const SplatFormat kPlyFormat{
    .name = "PLY",
    .extension = ".ply",
    .help = "the 3DGS layout (x, f_dc_0, scale_0, ...), every number as it was trained",
    .recognises = recognises,
    .read = readPly,
};

Gaussians readPly(const std::filesystem::path& path) {
    PlyRows rows(path, "vertex");
    const int degree = shDegreeOf(rows, path);
    rows.require(readOrder(degree));
    Gaussians gaussians;
    gaussians.resize(rows.count(), degree);
    gaussians.antialiased = rows.hasComment(kAntialiased);
    rows.forEach(readOrder(degree), [&](size_t i, std::span<const float> values) { takeRow(gaussians, i, values); });
    return gaussians;
}

void writePly(const std::filesystem::path& path, const Gaussians& gaussians) {
    checkSizes(gaussians);
    constexpr size_t kSlice = 4096;  // rows a thread takes at a time
    const std::string head = header(gaussians);
    const size_t floats = 14 + 3 + 3 * (shCoefficients(gaussians.shDegree) - 1);
    std::vector<std::byte> bytes(head.size() + gaussians.count() * floats * sizeof(float));
    std::memcpy(bytes.data(), head.data(), head.size());
    parallelFor((gaussians.count() + kSlice - 1) / kSlice, [&](size_t slice) {
        std::vector<float> row(floats);
        for (size_t i = slice * kSlice; i < std::min(gaussians.count(), (slice + 1) * kSlice); ++i) {
            putRow(gaussians, i, row);
            std::memcpy(bytes.data() + head.size() + i * floats * sizeof(float), row.data(), floats * sizeof(float));
        }
    });
    writeFileAtomically(path, bytes);
}

}  // namespace splat
