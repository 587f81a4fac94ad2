#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "viewer/window/ui.h"

namespace splat::app {

/// A scripted pointer: positions and buttons that change from frame to frame as a user's would.
class ScriptedPointer {
public:
    using Button = size_t;  ///< 0 left, 1 right, 2 middle

    void move(glm::vec2 to);
    void click(glm::vec2 at, Button button);
    void drag(glm::vec2 from, glm::vec2 to, Button button);
    /// A drag as of a finger: it begins where the pointer was not before, and the last move comes together with the release.
    void touch(glm::vec2 from, glm::vec2 to, Button button);
    void wheel(glm::vec2 at, float turns);
    void hold(bool shift, bool control, bool alt);

    /// Whether further frames are needed for its movements.
    bool moving() const { return !coming_.empty(); }
    /// State for the next frame; nothing before the first movement, so that the window's pointer is used.
    std::optional<Pointer> next();

private:
    std::vector<Pointer> coming_;
    std::optional<Pointer> now_;
    /// Pressed for the given steps of the way, then released at its end.
    void press(glm::vec2 from, glm::vec2 to, int steps, Button button);
    void add(const Pointer& pointer) { coming_.push_back(pointer); }
    Pointer at(glm::vec2 position) const;
    bool shift_ = false, control_ = false, alt_ = false;
};

}  // namespace splat::app
