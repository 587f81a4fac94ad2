#pragma once

#include <cstddef>
#include <vector>

#include <glm/glm.hpp>

namespace splat {

/// Mean squared distance of each point to its nearest neighbours, of which there may be fewer than wanted; infinite for a point alone. Points must be
/// finite.
std::vector<float> squaredNeighbourDistances(const std::vector<glm::vec3>& points, size_t neighbours);

/// How far each point is from its eight nearest neighbours: the root of the mean squared distance, in medians of all. Zeros for eight points or fewer,
/// which are too few to tell. Points must be finite.
std::vector<float> isolation(const std::vector<glm::vec3>& points);

}  // namespace splat
