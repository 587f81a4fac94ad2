#pragma once

#include <algorithm>

#include <imgui.h>
#include <imgui_internal.h>

namespace splat::app {

/// Whether Dear ImGui has an event of a type for a coming frame.
inline bool isQueued(ImGuiInputEventType type) {
    return std::ranges::any_of(ImGui::GetCurrentContext()->InputEventsQueue, [type](const ImGuiInputEvent& e) { return e.Type == type; });
}

}  // namespace splat::app
