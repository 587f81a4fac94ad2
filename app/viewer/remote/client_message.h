#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <glm/glm.hpp>

namespace splat::app {

inline constexpr size_t kMostClientMessageBytes = size_t{64} << 10u;

/// What a browser's page says, one JSON object per message: {"type": "move", "x": 3, "y": 4}.
struct PointerMoved {
    glm::vec2 position{0};  ///< pixels of the picture, -16384 to 32768: a drag may leave it
};
struct ButtonChanged {
    int button = 0;  ///< 0 left, 1 right, 2 middle
    bool down = false;
};
struct WheelTurned {
    glm::vec2 turns{0};  ///< notches, at most 100
};
struct KeyChanged {
    std::string key;  ///< of imguiNameOf()
    bool down = false;
};
struct TextTyped {
    std::string text;  ///< UTF-8 without control characters, at most 1024 bytes
};
/// Text for the viewer's clipboard.
struct TextPasted {
    std::string text;
};
/// The page lost the focus: no key or button is held any more.
struct FocusLost {};
struct Resized {
    glm::uvec2 size{0};  ///< pixels, 1 to 16384
    float scale = 1;     ///< pixels per point, 0.5 to 4
};
/// A frame is on the page's canvas.
struct FrameShown {
    uint32_t frame = 0;
};
struct Ping {
    uint32_t number = 0;
};
struct ControlWanted {};

using ClientMessage = std::variant<PointerMoved, ButtonChanged, WheelTurned, KeyChanged, TextTyped, TextPasted, FocusLost, Resized,
                                   FrameShown, Ping, ControlWanted>;

/// Throws InputError with the member, what was found and what is expected, unless the text is one message with exactly its members, in range.
ClientMessage parseClientMessage(std::string_view text);

}  // namespace splat::app
