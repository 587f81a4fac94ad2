#pragma once

#include <span>
#include <vector>

#include <splatwright/scene/cameras/camera.h>
#include "reference/model.h"

/// The 3D smoothing filter of Mip-Splatting (Yu et al. 2024, section 4.1): each Gaussian is convolved with an isotropic one.
namespace splat::reference {

inline constexpr double kFilterVariance = 0.2;  ///< of the filter, in squares of the sampling interval (the authors' program)
inline constexpr double kFilterMargin = 0.15;   ///< of the image's size: how far outside the image a view still samples (the same)

/// Samples per unit length at a point: focal length over depth; 0 if the point is outside the camera's frustum with its margin.
double samplingRate(const glm::dvec3& point, const Camera& camera);

/// Variance of each splat's filter by the camera that samples it most densely; those that none samples have the largest of the others.
std::vector<double> filterVariances(const Splats& splats, std::span<const Camera> cameras);

/// The splats with their filters applied: no filter is needed to draw them.
Splats filtered(const Splats& splats, std::span<const double> variances);

/// Chain rule: derivatives by the splats from those by the filtered ones. The variances are constant.
Splats filterBackward(const Splats& splats, std::span<const double> variances, const Splats& byFiltered);

}  // namespace splat::reference
