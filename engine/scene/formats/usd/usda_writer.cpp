#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/scene/files/text_writer.h>
#include <splatwright/scene/formats/axes.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/usd/usda.h>

namespace splat {
namespace {

/// `numbers` of a type that has operator[].
template <class Tuple>
void putTuple(std::string& text, const Tuple& numbers, int count) {
    for (int i = 0; i < count; ++i) {
        text += i == 0 ? '(' : ',';
        putNumber(text, numbers[i]);
    }
    text += ')';
}

glm::vec3 scaleOf(const Gaussians& g, size_t i) { return scaleOfLog(g.logScales[i]); }

/// Around the splats, of which nearly all is within three standard deviations.
std::string extentOf(const Gaussians& g, const AxisFlip& flip) {
    constexpr float kDeviations = 3, kMost = std::numeric_limits<float>::max();
    glm::vec3 low(kMost), high(-kMost);
    for (size_t i = 0; i < g.count(); ++i) {
        const glm::vec3 scale = scaleOf(g, i), mean = g.means[i] * flip.position;
        const float reach = kDeviations * std::max({scale.x, scale.y, scale.z});
        low = glm::min(low, mean - reach);
        high = glm::max(high, mean + reach);
    }
    std::string text = "    float3[] extent = [";
    putTuple(text, glm::max(low, -kMost), 3);
    text += ", ";
    putTuple(text, glm::min(high, kMost), 3);
    return text + "]\n";
}

/// Writes `declaration` and an array of an element per splat.
template <class Put>
void writeArray(AtomicFile& file, const std::string& declaration, size_t count, const Put& put) {
    const std::string start = "    " + declaration + " = [", end = "]\n";
    file.write(std::as_bytes(std::span(start)));
    writeText(file, count, [&](size_t first, size_t last) {
        std::string text;
        for (size_t i = first; i < last; ++i) {
            if (i > 0) text += ", ";
            put(text, i);
        }
        return text;
    });
    file.write(std::as_bytes(std::span(end)));
}

}  // namespace

void writeUsda(const std::filesystem::path& path, const Gaussians& g) {
    requireWritable(path, g);
    const AxisFlip flip(glm::vec3(1, -1, -1));  // to y up and z back
    const size_t coefficients = shCoefficients(g.shDegree);
    std::string head = fmt::format("{}\n(\n    defaultPrim = \"Splats\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n", kUsdaSignature);
    head += "def ParticleField3DGaussianSplat \"Splats\"\n{\n" + extentOf(g, flip);
    if (g.antialiased) head += fmt::format("    custom bool {} = 1\n", kUsdaAntialiased);
    head += fmt::format("    uniform int radiance:sphericalHarmonicsDegree = {}\n", g.shDegree);
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(head)));
    writeArray(file, "point3f[] positions", g.count(), [&](std::string& text, size_t i) { putTuple(text, g.means[i] * flip.position, 3); });
    writeArray(file, "quatf[] orientations", g.count(),
               [&](std::string& text, size_t i) { putTuple(text, unitRotation(g.rotations[i]) * flip.rotation, 4); });
    writeArray(file, "float3[] scales", g.count(), [&](std::string& text, size_t i) { putTuple(text, scaleOf(g, i), 3); });
    writeArray(file, "float[] opacities", g.count(),
               [&](std::string& text, size_t i) { putNumber(text, opacityOfLogit(g.logitOpacities[i])); });
    writeArray(file, "float3[] radiance:sphericalHarmonicsCoefficients", g.count(), [&](std::string& text, size_t i) {
        for (size_t k = 0; k < coefficients; ++k) {
            if (k > 0) text += ',';
            putTuple(text, g.sh[i * coefficients + k] * flip.sh[k], 3);
        }
    });
    const std::string tail = "}\n";
    file.write(std::as_bytes(std::span(tail)));
    file.commit();
}

}  // namespace splat
