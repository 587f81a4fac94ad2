#pragma once

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/core/image.h>

namespace splat {

/// The pixels that are joined to `seed` by sides and no channel of which differs from the seed's by more than `tolerance` (0 to 1), as words of a
/// ScreenMask. The seed must be in the picture.
std::vector<uint32_t> floodFill(const Image8& picture, glm::ivec2 seed, double tolerance);

}  // namespace splat
