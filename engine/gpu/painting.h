#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/core/image.h>
#include <splatwright/gpu/buffer.h>

namespace splat::gpu {

/// A triangle's vertex; must match shaders/screen/paint.slang.
struct PaintVertex {
    glm::vec2 position;   ///< pixels from the top left corner
    glm::vec2 uv;         ///< 0..1 over the texture
    uint32_t colour = 0;  ///< RGBA8, red in the low byte; multiplied by the texture
};

/// Pixels in a buffer: RGBA8 words in rows from the top.
struct Texture {
    BufferSlice texels;
    glm::uvec2 size{0};
};

/// Converts a 3-channel image to opaque texels, and back.
std::vector<uint32_t> texelsOf(const Image8& image);
Image8 imageOf(std::span<const uint32_t> texels, glm::uvec2 size);

/// Triangles with one texture and one clip rectangle.
struct PaintRange {
    uint32_t firstIndex = 0;
    uint32_t indices = 0;
    uint32_t firstVertex = 0;  ///< added to each index
    glm::ivec2 clipLow{0};     ///< pixels
    glm::ivec2 clipHigh{0};
    Texture texture;
};

/// What a screen shows; later ranges are drawn over earlier ones.
struct Painting {
    std::vector<PaintVertex> vertices;
    std::vector<uint32_t> indices;
    std::vector<PaintRange> ranges;
};

}  // namespace splat::gpu
