#pragma once

#include <cstddef>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/scene/gaussians/extra_columns.h>

namespace splat {

inline constexpr int kMaxShDegree = 3;

/// Number of SH coefficients per colour channel up to a degree, including the constant one: 1, 4, 9, 16.
constexpr size_t shCoefficients(int degree) { return static_cast<size_t>((degree + 1) * (degree + 1)); }

/// A model on the host, one array per an attribute, in the stored (unconstrained) parametrisation and the dataset's own frame.
struct Gaussians {
    int shDegree = 0;
    bool antialiased = false;           ///< trained, and rendered, with Mip-Splatting's 2D filter
    std::vector<glm::vec3> means;       ///< world position
    std::vector<glm::vec4> rotations;   ///< quaternion as (w, x, y, z) in (.x, .y, .z, .w); any length but zero
    std::vector<glm::vec3> logScales;   ///< natural logarithm of the standard deviation along each axis
    std::vector<float> logitOpacities;  ///< ln(o / (1 - o))
    std::vector<glm::vec3> sh;          ///< RGB of coefficient k of splat i at [i * shCoefficients(shDegree) + k]; colour = 0.5 + SH

    std::vector<ExtraColumn> extras;  ///< none as a rule; operations keep them with their splats and do not interpret them

    size_t count() const { return means.size(); }
    void resize(size_t count, int degree);
};

/// Drops the coefficients above the degree, or adds zeros.
void setShDegree(Gaussians& gaussians, int degree);

/// Appends splats: coefficients beyond the degree of `to` are dropped, missing ones are 0. Columns of extras as by addColumns().
void append(Gaussians& to, const Gaussians& from);

}  // namespace splat
