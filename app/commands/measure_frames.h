#pragma once

#include <string>
#include <vector>

#include "commands/command.h"

namespace splat::app {

/// `view --headless`: pictures on a circle around the splats, without a window.
struct MeasureOptions {
    std::vector<std::string> splats;
    std::string size = "1920x1080", background = "0,0,0", up = "0,-1,0", picture = "colour";
    uint32_t frames = 500;
    bool json = false;
};

/// Draws them and says what that took.
Exit measureFrames(Context& context, const MeasureOptions& options);

}  // namespace splat::app
