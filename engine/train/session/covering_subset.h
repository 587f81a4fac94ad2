#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace splat {

/// Ascending indices of `count` finite points, all of them if there are no more. At most half are one from each cell of the finest octree level that
/// has so few, so that sparse regions keep a point; the others are spread evenly over the remaining points, so that dense regions stay denser.
std::vector<size_t> coveringSubset(std::span<const glm::vec3> points, size_t count);

}  // namespace splat
