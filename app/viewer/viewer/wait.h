#pragma once

#include <functional>
#include <string>

namespace splat::app {

/// A condition that a script's line waits for.
struct Wait {
    std::string what;             ///< description for error messages
    std::function<bool()> until;  ///< throws Error if it cannot become true
    bool needsFrames = false;     ///< needs frames, which a minimised window does not draw
    bool forOthers = false;       ///< waits for the user or another program, whose errors are not the script's
};

}  // namespace splat::app
