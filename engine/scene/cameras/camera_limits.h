#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <splatwright/scene/cameras/camera.h>
#include <splatwright/scene/cameras/lens_models.h>

namespace splat {

/// Ranges far beyond any real camera in which no formula overflows. Numbers outside come from damaged or forged files.
inline constexpr int kMaxSide = 65536;                       ///< pixels, the most that a JPEG can have
inline constexpr uint64_t kMostPixels = uint64_t{1} << 30U;  ///< of an image: kernels count the values of its three channels in 32 bits
inline constexpr int kMaxRenderedSide = 8192;                ///< pixels, the most that the renderer takes
inline constexpr double kMaxCoordinate = 1e12;               ///< scene units; positions on Earth in millimetres need 1e10
inline constexpr double kMaxDistortion = 1e6;                ///< of every parameter; telephoto lenses have the largest
inline constexpr double kMinFocalLength = 1e-3;              ///< longer sides of the image
inline constexpr double kMaxFocalLength = 1e6;               ///< longer sides of the image
inline constexpr double kMaxPrincipalPoint = 10;             ///< sides of the image, beyond its edges

/// Throws InputError, starting with the prefix, for more than kMostPixels. Sides that are in range by themselves have too many at 65536x65536.
void checkPixels(std::string_view prefix, uint64_t width, uint64_t height);

/// Throws InputError, starting with the prefix, unless every number of the lens is in range.
void checkLens(const std::string& prefix, const Camera& camera, const Distortion& distortion);

/// Whether a camera's axes are orthonormal and right-handed, within 1e-3 for files with few digits; false for NaN.
bool isRotation(const glm::dmat3& matrix);

/// Whether all three numbers are within +-kMaxCoordinate; false for NaN.
bool withinCoordinates(const glm::dvec3& v);

}  // namespace splat
