#pragma once

#include <array>
#include <optional>

#include "gpu/painting.h"

struct ImDrawData;

namespace splat::app {

class Window;

/// Where a pointer is and what is pressed on it, from a script instead of a window.
struct Pointer {
    glm::vec2 position{-1, -1};  ///< pixels
    std::array<bool, 3> buttons{};
    float wheel = 0;
    bool shift = false, control = false, alt = false;
};

/// Where keys go: to one place at a time.
enum class KeyOwner { dialog, text, view };

/// Dear ImGui, from a window's events or a script's to a painting.
class Ui {
public:
    /// window: none where nothing is shown. scale: pixels a point.
    Ui(gpu::Device& device, Window* window, float scale);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    /// Between these, panels may be drawn. size: pixels; pointer: a script's, which goes before the window's; owner: keys move between widgets
    /// and press them in dialogs only, and where the view has the keys no widget sees any.
    void begin(glm::uvec2 size, double seconds, const std::optional<Pointer>& pointer, KeyOwner owner);
    gpu::Painting end();
    /// After end(): what lies behind all panels, alone.
    gpu::Painting background() const;

    /// Whether a text field takes the keys.
    bool wantsText() const;
    /// Whether a menu, a list of choices or a dialog is open.
    bool hasPopup() const;

private:
    void loadFont(float scale);

    gpu::Device& device_;
    bool hasWindow_;
    gpu::Buffer fontTexels_;
    gpu::Texture font_;
};

}  // namespace splat::app
