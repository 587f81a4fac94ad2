#pragma once

#include <array>
#include <string>

#include <splatwright/gpu/painting.h>
#include "viewer/scene/comparing.h"

namespace splat::app {

/// The pictures of a frame and where the first is on the screen.
struct ShownPictures {
    const gpu::Texture& first;
    const gpu::Texture* second = nullptr;  ///< null: nothing is compared
    const gpu::Texture* map = nullptr;     ///< of their differences; null until there is one
    std::array<std::string, 2> names;
    glm::ivec2 low{0}, high{1};
    std::array<glm::ivec2, 3> shifts{};  ///< of the pictures beside each other, from the first, pixels
};

/// Draws the first picture, or both as the layout says, with their names. The textures must stay until the frame is painted.
void drawPictures(const ShownPictures& pictures, const Comparing& comparing);

}  // namespace splat::app
