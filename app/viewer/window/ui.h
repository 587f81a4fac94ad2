#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/gpu/painting.h>

struct ImTextureData;

namespace splat::app {

class Display;

/// Dear ImGui's name of a texture, which must stay at its place until the frame is painted.
inline uint64_t textureName(const gpu::Texture& texture) { return reinterpret_cast<uintptr_t>(&texture); }

/// Position and buttons of a scripted pointer.
struct Pointer {
    glm::vec2 position{-1, -1};  ///< pixels
    std::array<bool, 3> buttons{};
    float wheel = 0;
    bool shift = false, control = false, alt = false;
};

/// Receiver of key presses.
enum class KeyOwner { dialog, text, view };

/// Dear ImGui, from events of a display or a script to a painting.
class Ui {
public:
    /// display: null without one. scale: pixels per point.
    Ui(gpu::Device& device, Display* display, float scale);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    /// Another scale, as of another monitor, between frames.
    void rescale(float scale);
    /// Positions of panels, as text for the next start. Set it before the first frame, which then has the scale of those positions.
    std::string layout() const;
    void setLayout(const std::string& text, float scale);

    /// Panels may be drawn between these two calls. size: pixels; pointer: a script's, which overrides the display's; owner: keyboard navigation is on
    /// in dialogs only, and widgets get no keys if the view owns them.
    void begin(glm::uvec2 size, double seconds, const std::optional<Pointer>& pointer, KeyOwner owner);
    gpu::Painting end();
    /// After end(): only the painting behind all panels.
    gpu::Painting background() const;

private:
    struct PanelTexture {
        gpu::Buffer texels;
        gpu::Texture texture;
    };

    struct Retired {
        uint64_t frame;
        gpu::Buffer texels;
    };

    static void addFonts();
    void updateTextures();
    void replace(PanelTexture& texture, ImTextureData& wanted);
    void forget(ImTextureData& wanted);

    gpu::Device& device_;
    Display* display_;
    std::map<int, PanelTexture> textures_;  // by Dear ImGui's id; it keeps their addresses
    std::vector<Retired> retired_;
    uint64_t frame_ = 0;
};

}  // namespace splat::app
