#pragma once

#include <span>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/prepare/similarity.h>
#include <splatwright/scene/images/image_file.h>

namespace splat::prepare {

/// East, north and up of a position from an origin in metres, on the tangent plane of WGS 84's ellipsoid. A position without altitude has the origin's.
glm::dvec3 localMetres(const GeoPosition& position, const GeoPosition& origin);

/// A camera whose position is known by GPS.
struct GpsCamera {
    glm::dvec3 centre{0};  ///< in the model
    GeoPosition position;
};

/// Where GPS puts a model: x is east, y down, z north, in metres.
struct GpsFit {
    Similarity similarity;                    ///< from the model
    GeoPosition origin;                       ///< of the zero of x, y and z
    size_t positions = 0, used = 0;           ///< those that are used agree with each other
    double median = 0, rms = 0, largest = 0;  ///< residuals, metres: of all, of those used, of those used
};

/// The similarity of camera centres to their positions: least median of squares over triples with a fixed seed, then least squares with Tukey's weights, so
/// that up to half of the positions may be wrong. Throws InputError for fewer than three cameras, cameras on a line, and positions that do not fit: fewer
/// than half agree, or they differ by more than a quarter of the cameras' spread.
GpsFit fitGps(std::span<const GpsCamera> cameras);

/// Cameras with a position that fitGps() needs.
inline constexpr size_t kFewestPositions = 3;

}  // namespace splat::prepare
