#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/ui/ui.h"

namespace splat::app {

/// A line of a script: the name of an action and its arguments.
struct ScriptLine {
    size_t number = 0;  ///< in the file, from 1
    std::string action;
    bool tries = false;  ///< after the word `try`: the script continues if it fails
    std::vector<std::string> arguments;
};

/// Words of a line; quotation marks keep spaces together, # starts a comment.
std::vector<std::string> scriptWords(std::string_view line);

/// Reads a script. Throws InputError naming the file if it is unreadable or has no actions; unknown actions are found when they run.
std::vector<ScriptLine> readScript(const std::filesystem::path& path);

/// A scripted pointer: positions and buttons that change from frame to frame as a user's would.
class ScriptedPointer {
public:
    using Button = size_t;  ///< 0 left, 1 right, 2 middle

    void move(glm::vec2 to);
    void click(glm::vec2 at, Button button);
    void drag(glm::vec2 from, glm::vec2 to, Button button);
    void wheel(glm::vec2 at, float turns);
    void hold(bool shift, bool control, bool alt);

    /// Whether further frames are needed for its movements.
    bool moving() const { return !coming_.empty(); }
    /// State for the next frame; nothing before the first movement, so that the window's pointer is used.
    std::optional<Pointer> next();

private:
    std::vector<Pointer> coming_;
    std::optional<Pointer> now_;
    void add(const Pointer& pointer) { coming_.push_back(pointer); }
    Pointer at(glm::vec2 position) const;
    bool shift_ = false, control_ = false, alt_ = false;
};

}  // namespace splat::app
