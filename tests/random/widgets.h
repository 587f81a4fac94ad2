#pragma once

#include <map>
#include <string>
#include <vector>

#include <glm/glm.hpp>

namespace splat::test {

/// A widget that Dear ImGui drew in the last frame.
struct Widget {
    uint32_t id = 0;
    std::string name;           ///< its window's title and its label
    glm::vec2 low{0}, high{0};  ///< pixels; the part that its window shows
    bool takesText = false;     ///< a text field, or a slider that becomes one

    glm::vec2 at(glm::vec2 part) const { return low + part * (high - low); }
};

/// All widgets, frame by frame, as hooks in this program's own copy of Dear ImGui report them, and how often each was reached: was under the pointer, or
/// pressed. There is one at most, as the hooks are functions without an object.
class Widgets {
public:
    Widgets();
    ~Widgets();
    Widgets(const Widgets&) = delete;

    /// Calls the hooks for the current context.
    static void attach();
    /// Between two frames: those of the last one that the pointer can reach, by their windows; what was drawn and reached is counted.
    const std::vector<Widget>& endFrame();
    /// Names of what was drawn, with the number of frames in which it was reached.
    const std::map<std::string, uint64_t>& counts() const { return counts_; }
    /// The number of times that the widget was aimed at, so that what was least often is preferred.
    uint64_t& aims(const std::string& name) { return aims_[name]; }

    // The hooks' own.
    void add(uint32_t id, glm::vec2 low, glm::vec2 high);
    void describe(uint32_t id, const char* label, bool takesText);

private:
    std::map<uint32_t, Widget> frame_;
    std::vector<Widget> last_;
    std::map<std::string, uint64_t> counts_, aims_;
};

}  // namespace splat::test
