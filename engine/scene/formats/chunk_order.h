#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace splat {

/// An order of points in which each chunk of so many takes a small box: steps between a chunk's bounds are as long as its box. The same for any
/// number of threads.
std::vector<uint32_t> chunkOrder(std::span<const glm::vec3> points, size_t chunk);

}  // namespace splat
