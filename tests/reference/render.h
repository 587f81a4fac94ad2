#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <splatwright/core/image.h>
#include "reference/project.h"

namespace splat::reference {

inline constexpr double kMaxAlpha = 0.99;          ///< keeps 1 - alpha away from zero (3DGS)
inline constexpr double kMinTransmittance = 1e-4;  ///< a splat that would leave less than this ends the pixel and is not blended

struct Rendering {
    Image<double> colour;         ///< 3 channels, background included
    Image<double> transmittance;  ///< what is left for the background
    Image<double> inverseDepth;   ///< 1 / depth, blended like a colour over black
    Image<double> normal;         ///< 3 channels, blended like a colour over black
    Image<int> contributors;      ///< number of splats blended
    /// 1 where some splat's alpha lies within a relative Settings::nearCutMargin of the 1/255 cut or of the 0.99 clamp, or where the
    /// transmittance comes within ten times that of the early stop (its error is a product of errors). There single precision
    /// may decide otherwise, so a different colour or gradient is explained.
    Image<uint8_t> nearCut;
};

Rendering render(const Splats& splats, const Camera& camera, const Settings& settings);

/// The second half of render, for projections that come from elsewhere.
Rendering blend(std::span<const Projected> projected, int width, int height, const Settings& settings);

/// Key of a depth in the GPU's sort (shaders/lib/blend/depth_step.slang).
uint32_t depthStep(float depth);

/// Indices of the visible splats, front to back. Compares depthStep(), ties by index: so does the GPU's stable sort.
std::vector<size_t> depthOrder(std::span<const Projected> projected);

/// Alpha of a splat whose Gaussian falloff at the pixel is `gaussian`, and its derivative with respect to opacity * gaussian.
struct Alpha {
    double value = 0;  ///< 0: not blended
    double slope = 0;  ///< 0 where the 0.99 clamp holds
};

/// raw = opacity * gaussian; alpha = min(0.99, raw), cut to 0 below 1/255. With smoothCutoff the jump is replaced by
/// alpha * s(255 * alpha - 1), s(u) = u³ (10 - 15 u + 6 u²) on [0, 1], which is twice differentiable and reaches from 1/255 to 2/255:
/// still 0 wherever the hard cut gives 0, so that extents and culling hold unchanged.
Alpha alphaOf(double opacity, double gaussian, const Settings& settings);

/// Whether a visible splat's alpha reaches the 1/255 cut at the centre of some pixel. The box of one that does not may still touch the image.
bool reachesAPixel(const Projected& splat, int width, int height);

/// One blended splat of one pixel.
struct Contribution {
    size_t splat = 0;
    double gaussian = 0;  ///< exp(power)
    Alpha alpha;
    double transmittance = 1;  ///< in front of this splat
};

/// Everything that happens along one pixel's ray, front to back.
struct PixelTrace {
    std::vector<Contribution> contributions;
    double transmittance = 1;  ///< behind the last contribution
    bool nearCut = false;
};
PixelTrace tracePixel(std::span<const Projected> projected, std::span<const size_t> order, const glm::dvec2& centre,
                      const Settings& settings);

}  // namespace splat::reference
