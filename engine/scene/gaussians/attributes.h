#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// The rows of kAttributes, by which code names an attribute of its own.
enum class Attribute : uint32_t { means, sh0, shRest, logitOpacities, logScales, rotations };

/// An attribute is `planes` vectors of `words` floats per Gaussian. On the device and in checkpoints each plane is one array of vectors.
struct AttributeRow {
    std::string_view binding;                    ///< buffer in shaders; that of its Adam moments is <binding>Moments
    std::string_view section, moments;           ///< checkpoint sections of the parameters and of their Adam moments
    uint32_t words, momentWords, planes;         ///< words of a plane and of its Adam moments; planes at the highest SH degree
    int firstCoefficient;                        ///< in the array of SH coefficients, which two attributes share; -1: it has its own
    std::array<std::string_view, 4> properties;  ///< in PLY files, per word; the prefix of numbered ones for several planes
    std::span<const float> (*hostArray)(const Gaussians&);  ///< array of Gaussians that holds the attribute
};

template <auto Member>
std::span<const float> floatsOf(const Gaussians& gaussians) {
    const auto& values = gaussians.*Member;
    return {reinterpret_cast<const float*>(values.data()), values.size() * sizeof(values[0]) / sizeof(float)};
}

/// Every attribute, in the order of the enum and of PLY files.
inline constexpr AttributeRow kAttributes[] = {
    {"means", "means", "mean_moments", 3, 6, 1, -1, {"x", "y", "z"}, floatsOf<&Gaussians::means>},
    {"sh0", "sh0", "sh0_moments", 3, 6, 1, 0, {"f_dc_0", "f_dc_1", "f_dc_2"}, floatsOf<&Gaussians::sh>},
    {"shRest", "sh_rest", "sh_rest_packed_moments", 3, 3, 15, 1, {"f_rest_"}, floatsOf<&Gaussians::sh>},
    {"logitOpacities", "logit_opacities", "logit_opacity_moments", 1, 2, 1, -1, {"opacity"}, floatsOf<&Gaussians::logitOpacities>},
    {"logScales", "log_scales", "log_scale_moments", 3, 6, 1, -1, {"scale_0", "scale_1", "scale_2"}, floatsOf<&Gaussians::logScales>},
    {"rotations", "rotations", "rotation_moments", 4, 8, 1, -1, {"rot_0", "rot_1", "rot_2", "rot_3"}, floatsOf<&Gaussians::rotations>},
};

constexpr const AttributeRow& rowOf(Attribute attribute) { return kAttributes[static_cast<size_t>(attribute)]; }

/// Planes that a model of this SH degree has.
constexpr uint32_t planesAt(const AttributeRow& row, int shDegree) {
    return row.planes == 1 ? 1 : static_cast<uint32_t>(shCoefficients(shDegree) - 1);
}

/// Name of the PLY property that holds a word of a plane; SH coefficients are numbered channel by channel.
std::string plyProperty(const AttributeRow& row, int shDegree, uint32_t plane, uint32_t word);

/// One plane on the host: the words of Gaussian i start at first[i * stride].
template <class Float>
struct HostPlane {
    Float* first;
    size_t stride;  ///< floats
};
HostPlane<const float> hostPlane(const Gaussians& gaussians, const AttributeRow& row, uint32_t plane);
HostPlane<float> hostPlane(Gaussians& gaussians, const AttributeRow& row, uint32_t plane);

/// The words of a plane, Gaussian by Gaussian.
std::vector<float> gather(const Gaussians& gaussians, const AttributeRow& row, uint32_t plane);
/// The inverse of gather().
void scatter(Gaussians& gaussians, const AttributeRow& row, uint32_t plane, std::span<const float> words);

/// Copies all attributes of one Gaussian, and its extras into the columns of the same name; coefficients that only one of the models has are left
/// out.
void copyGaussian(Gaussians& to, size_t target, const Gaussians& from, size_t source);

/// Fails unless every array has the length that count() and the SH degree ask for.
void checkSizes(const Gaussians& gaussians);

}  // namespace splat
