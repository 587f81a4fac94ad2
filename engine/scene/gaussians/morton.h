#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace splat {

inline constexpr uint32_t kMortonLevels = 21;  ///< of the octree: three times as many bits fit into a code

/// Morton codes of points: the path from the root of an octree, over the cube around the finite points, to the point's finest cell, three bits
/// per level. Coordinates that are not finite count as the nearest side of the cube, NaN as the lower one.
std::vector<uint64_t> mortonCodes(std::span<const glm::vec3> points);

/// The indices of the points sorted by Morton code, then by index, so that neighbours in the list are mostly neighbours in space. The same for any
/// number of threads.
std::vector<uint32_t> mortonOrder(std::span<const glm::vec3> points);
/// The same for codes that mortonCodes() returned.
std::vector<uint32_t> mortonOrder(std::span<const uint64_t> codes);

}  // namespace splat
