#pragma once

#include <filesystem>
#include <span>

#include <splatwright/core/image.h>
#include <splatwright/scene/gaussians/point.h>
#include <splatwright/scene/photographs/photographs.h>

namespace splat {

/// Values for the target camera of an undistorted, downscaled image. Each pixel takes the nearest pixel of the stored map, and a downscaled one the
/// mean of its known pixels. 0 is unknown, as are blank pixels.
struct DepthResampling {
    const Camera& stored;
    const Distortion& distortion;
    const Camera& straight;  ///< undistorted
    const Camera& final;     ///< and downscaled
};
Image16 resampledDepths(const Image16& values, const DepthResampling& resampling);

/// The map at a smaller size: the mean of the known pixels that a pixel covers.
Image16 downscaledDepths(const Image16& values, int width, int height);

/// A structure-from-motion point in an image.
struct DepthSample {
    int x = 0;  ///< pixel
    int y = 0;
    double inverseDepth = 0;
};

/// The points that project into the image, in front of the camera. `observed`: their indices.
std::vector<DepthSample> depthSamples(const Camera& camera, std::span<const Point> points, std::span<const uint32_t> observed);

/// Indices of the points that the camera may see, for datasets without tracks: among the points of a cell (1/32 of the longer side) those that are
/// at most a tenth farther than the nearest.
std::vector<uint32_t> visiblePoints(const Camera& camera, std::span<const Point> points);

/// A map that knows the samples' pixels alone; the nearest point of a pixel wins. Ignores points ten times nearer than the median.
DepthMap sparseDepths(const Camera& camera, std::span<const DepthSample> samples);

/// Why a depth map cannot be fitted to the points; null: it was.
using FitProblem = const char*;

/// Finds the map's scale and shift such that it agrees with the samples: least absolute deviations, by reweighted least squares that start from
/// medians and mean absolute deviations, as in make_depth_scale.py of 3DGS (Kerbl et al. 2023). Needs samples at 10 known pixels.
FitProblem fitDepths(DepthMap& map, std::span<const DepthSample> samples);

}  // namespace splat
