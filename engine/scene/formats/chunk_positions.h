#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace splat {

/// What positions in steps between the bounds of their chunk need (compressed_ply.h).
struct ChunkedPositions {
    struct Bounds {
        glm::vec3 low, high;
        double error;  ///< sum of squared differences
    };

    std::vector<uint32_t> order;  ///< of splats, kChunkSplats to a chunk
    std::vector<Bounds> bounds;   ///< by chunk
};

/// The order of the positions themselves, or one whose chunks are small, whichever is closer. A model that was divided into chunks before keeps them,
/// and its positions, which are on their steps.
ChunkedPositions chunkedPositions(std::span<const glm::vec3> means);

}  // namespace splat
