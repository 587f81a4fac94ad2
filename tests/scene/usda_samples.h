#pragma once

#include "splat_samples.h"

namespace splat::test {

/// "(1, 2, 3)"
template <class Vector>
std::string usdaTuple(const Vector& v, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "(" : ", ", v[i]);
    return text + ")";
}

/// An array whose elements element(i) makes.
template <class Element>
std::string usdaList(size_t count, const Element& element) {
    std::string text = "[";
    for (size_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + element(i);
    return text + "]";
}

/// The attributes of a prim, in its own frame: y up, z back.
inline std::string usdaAttributes(const Gaussians& g) {
    const size_t coefficients = shCoefficients(g.shDegree);
    // Signs of the basis where y and z are flipped (formulas of the basis: engine/scene/gaussians/sh_rotation.cpp).
    constexpr std::array<float, 16> kSigns{1, -1, -1, 1, -1, 1, 1, -1, 1, -1, 1, -1, -1, 1, -1, 1};
    std::string text = fmt::format("uniform int radiance:sphericalHarmonicsDegree = {}\n", g.shDegree);
    text += "point3f[] positions = " + usdaList(g.count(), [&](size_t i) { return usdaTuple(g.means[i] * glm::vec3(1, -1, -1), 3); });
    text +=
        "\nquatf[] orientations = " + usdaList(g.count(), [&](size_t i) { return usdaTuple(g.rotations[i] * glm::vec4(1, 1, -1, -1), 4); });
    text += "\nfloat3[] scales = " + usdaList(g.count(), [&](size_t i) { return usdaTuple(glm::exp(g.logScales[i]), 3); });
    text += "\nfloat[] opacities = " + usdaList(g.count(), [&](size_t i) { return fmt::format("{}", sigmoid(g.logitOpacities[i])); });
    text += "\nfloat3[] radiance:sphericalHarmonicsCoefficients = " +
            usdaList(g.sh.size(), [&](size_t i) { return usdaTuple(g.sh[i] * kSigns.at(i % coefficients), 3); });
    return text + "\n";
}

/// A scene of one prim, without a line end after it, so that each of its beginnings lacks something.
inline SplatSample usdaSample(size_t count, int degree) {
    const Gaussians g = randomSplats(count, degree);
    return {fmt::format("degree {}, {} splats", degree, count),
            "#usda 1.0\n(\n    upAxis = \"Y\"\n)\ndef ParticleField3DGaussianSplat \"Splats\"\n{\n" + usdaAttributes(g) + "}",
            g,
            {.rotation = 1e-6f, .logScale = glm::vec3(1e-6f), .opacity = 1e-6f}};
}

}  // namespace splat::test
