#include <splatwright/scene/gaussians/attributes.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <splatwright/core/error.h>

namespace splat {

namespace {

/// Vectors per Gaussian of the host array that holds an attribute.
size_t vectorsPerGaussian(const AttributeRow& row, int shDegree) { return row.firstCoefficient < 0 ? 1 : shCoefficients(shDegree); }

}  // namespace

std::string plyProperty(const AttributeRow& row, int shDegree, uint32_t plane, uint32_t word) {
    if (row.planes == 1) return std::string(row.properties[word]);
    return fmt::format("{}{}", row.properties[0], word * planesAt(row, shDegree) + plane);
}

HostPlane<const float> hostPlane(const Gaussians& g, const AttributeRow& row, uint32_t plane) {
    const size_t vector = static_cast<size_t>(std::max(row.firstCoefficient, 0)) + plane;
    const float* array = row.hostArray(g).data();
    return {array ? array + vector * row.words : nullptr, row.words * vectorsPerGaussian(row, g.shDegree)};
}

HostPlane<float> hostPlane(Gaussians& g, const AttributeRow& row, uint32_t plane) {
    const HostPlane<const float> found = hostPlane(std::as_const(g), row, plane);
    return {const_cast<float*>(found.first), found.stride};
}

std::vector<float> gather(const Gaussians& g, const AttributeRow& row, uint32_t plane) {
    const HostPlane<const float> host = hostPlane(g, row, plane);
    std::vector<float> words(g.count() * row.words);
    for (size_t i = 0; i < g.count(); ++i) std::copy_n(host.first + i * host.stride, row.words, &words[i * row.words]);
    return words;
}

void scatter(Gaussians& g, const AttributeRow& row, uint32_t plane, std::span<const float> words) {
    SPLAT_CHECK(words.size() == g.count() * row.words, "{} words of {}, {} Gaussians", words.size(), row.section, g.count());
    const HostPlane<float> host = hostPlane(g, row, plane);
    for (size_t i = 0; i < g.count(); ++i) std::copy_n(&words[i * row.words], row.words, host.first + i * host.stride);
}

void copyGaussian(Gaussians& to, size_t target, const Gaussians& from, size_t source) {
    for (const AttributeRow& row : kAttributes) {
        const uint32_t planes = std::min(planesAt(row, to.shDegree), planesAt(row, from.shDegree));
        const HostPlane<float> into = hostPlane(to, row, 0);
        const HostPlane<const float> found = hostPlane(from, row, 0);
        // The planes of one Gaussian follow one another on the host.
        std::copy_n(found.first + source * found.stride, size_t{planes} * row.words, into.first + target * into.stride);
    }
    copyExtras(to.extras, target, from.extras, source);
}

void checkSizes(const Gaussians& g) {
    for (const AttributeRow& row : kAttributes) {
        const size_t found = row.hostArray(g).size(), expected = g.count() * row.words * vectorsPerGaussian(row, g.shDegree);
        SPLAT_CHECK(found == expected, "{} floats hold {}, expected {} for {} Gaussians of degree {}", found, row.section, expected,
                    g.count(), g.shDegree);
    }
    for (const ExtraColumn& column : g.extras) {
        const size_t expected = g.count() * bytesOf(column.type);
        SPLAT_CHECK(column.values.size() == expected, "{} bytes hold {}, expected {}", column.values.size(), column.name, expected);
    }
}

}  // namespace splat
