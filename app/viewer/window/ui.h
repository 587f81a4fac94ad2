#pragma once

#include <array>
#include <optional>

#include <splatwright/gpu/painting.h>

struct ImDrawData;

namespace splat::app {

class Window;

/// Position and buttons of a scripted pointer.
struct Pointer {
    glm::vec2 position{-1, -1};  ///< pixels
    std::array<bool, 3> buttons{};
    float wheel = 0;
    bool shift = false, control = false, alt = false;
};

/// Receiver of key presses.
enum class KeyOwner { dialog, text, view };

/// Dear ImGui, from events of a window or a script to a painting.
class Ui {
public:
    /// window: null without a display. scale: pixels per point.
    Ui(gpu::Device& device, Window* window, float scale);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    /// Panels may be drawn between these two calls. size: pixels; pointer: a script's, which overrides the window's; owner: keyboard navigation is on
    /// in dialogs only, and widgets get no keys if the view owns them.
    void begin(glm::uvec2 size, double seconds, const std::optional<Pointer>& pointer, KeyOwner owner);
    gpu::Painting end();
    /// After end(): only the painting behind all panels.
    gpu::Painting background() const;

private:
    void loadFont(float scale);

    gpu::Device& device_;
    bool hasWindow_;
    gpu::Buffer fontTexels_;
    gpu::Texture font_;
};

}  // namespace splat::app
