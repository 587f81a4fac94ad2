#pragma once

#include <optional>
#include <span>

#include <glm/glm.hpp>

#include <splatwright/scene/gaussians/point.h>
#include <splatwright/scene/photographs/photographs.h>

namespace splat {

/// How far a photograph's colours are from those of the points that it shows.
struct ColourOffset {
    glm::dvec3 logRatio{0};  ///< natural logarithm of photograph / points, per channel
    double variance = 0;     ///< of logRatio, mean over the channels, by how far parts of the picture disagree
};

/// The median over cells of the picture (1/64 of its longer side) of what lies between the photograph and the nearest point that projects into the
/// cell. Cells that are masked, transparent, nearly black or nearly white in either are left out. None if fewer than 30 cells are left, or fewer
/// than three parts of the picture (a quarter of its width and height) have eight of them.
std::optional<ColourOffset> colourOffset(const Photograph& photograph, std::span<const Point> points);

}  // namespace splat
