#pragma once

#include <string>
#include <vector>

#include <glm/glm.hpp>

#include <splatwright/scene/images/image_file.h>
#include "commands/command.h"

namespace splat::app {

/// `view --headless`: frames on an orbit around the splats, without a window.
struct MeasureOptions {
    std::vector<std::string> splats;
    std::string picture = "colour";
    ImageSize size{1920, 1080};
    glm::vec3 background{0}, up{0, -1, 0};
    uint32_t frames = 500;
    uint32_t popping = 0;  ///< pairs of consecutive frames of a slow orbit to compare; 0: none
    uint32_t budget = 0;   ///< splats of a streamed model in a picture; 0: by the device's memory
    bool json = false;
};

/// Draws the frames and prints their timings.
Exit measureFrames(Context& context, const MeasureOptions& options);

}  // namespace splat::app
