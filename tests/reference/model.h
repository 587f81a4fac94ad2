#pragma once

#include <cstddef>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/scene/gaussians/gaussians.h>

/// The oracle: the whole renderer, its derivatives, the losses and Adam in double precision on the CPU, written to be read.
/// GPU tests compare with it; it is itself compared with finite differences and with examples worked by hand.
namespace splat::reference {

/// splat::Gaussians in double; the same layout also holds the gradient of a loss with respect to every parameter.
struct Splats {
    int shDegree = 0;
    std::vector<glm::dvec3> means;
    std::vector<glm::dvec4> rotations;  ///< quaternion (w, x, y, z) of any length but zero
    std::vector<glm::dvec3> logScales;
    std::vector<double> logitOpacities;
    std::vector<glm::dvec3> sh;  ///< RGB of coefficient k of splat i at [i * shCoefficients(shDegree) + k]

    size_t count() const { return means.size(); }
};

Splats fromGaussians(const Gaussians& gaussians);

/// As many splats of the same degree, every number zero: where a gradient starts.
Splats zerosLike(const Splats& splats);

struct Settings {
    int shDegree = kMaxShDegree;  ///< degree in use; a model that stores less uses all that it has
    glm::dvec3 background{0};
    bool summed = false;          ///< splats are summed in any order: none hides another
    double opaqueBelow = 0;       ///< a pixel also stops behind the splat that leaves less transmittance
    bool antialiased = false;     ///< opacity times sqrt(det V / det (V + dilation)), the 2D filter of Mip-Splatting
    bool smoothCutoff = false;    ///< differentiable stand-in for the 1/255 cut, and no early stop: see alphaOf in render.h
    double nearCutMargin = 1e-4;  ///< relative distance from a threshold at which a pixel is flagged; see Rendering::nearCut
};

}  // namespace splat::reference
