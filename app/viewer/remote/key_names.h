#pragma once

#include <string_view>

namespace splat::app {

/// Dear ImGui's name of a key by that of KeyPress: "A" to "Z", "0" to "9", "F1" to "F12", named keys and punctuation, and the modifiers "Shift", "Ctrl" and
/// "Alt". Empty for other names.
std::string_view imguiNameOf(std::string_view key);

}  // namespace splat::app
