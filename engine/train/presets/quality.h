#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace splat {

/// The settings of a quality: how much time training may take for how good a result. `text` is the name of a preset on that scale (`fast`: 0,
/// `balanced`: 0.5, `best`: 1), or a number from 0 to 1. Between two presets, the numbers of steps and of splats and the steps of the schedule are
/// interpolated geometrically, and all else is the nearer preset's. Throws InputError for anything else; `where` starts the message.
nlohmann::json qualitySettings(const std::string& text, std::string_view where);

}  // namespace splat
