#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include <splatwright/scene/formats/formats.h>
#include "viewer/panels/layout.h"
#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/window/style.h"

namespace splat::app {

void drawWelcome(Viewer& viewer, const Layout& layout) {
    const glm::vec2 middle = glm::vec2(layout.low + layout.high) / 2.0F;
    const float width = std::min(points(520), static_cast<float>(layout.high.x - layout.low.x) - points(20));
    ImGui::SetNextWindowPos({middle.x, middle.y}, ImGuiCond_Always, {0.5F, 0.5F});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                        ImGuiWindowFlags_NoDocking;
    if (ImGui::Begin("welcome", nullptr, kFlags)) {
        ImGui::PushTextWrapPos(width);
        ImGui::TextUnformatted(fmt::format("Drop splats ({}) here to look at them,\n"
                                           "a dataset folder (COLMAP, transforms.json) to train on it,\n"
                                           "a folder of photographs or a video to find its camera poses and train,\n"
                                           "or one picture (PNG, JPEG, ...) to fit 2D splats to it.",
                                           splatFormatNames())
                                   .c_str());
        ImGui::PopTextWrapPos();
        ImGui::Spacing();
        drawActions(viewer, {{"Open...", "open"}, {"Keys (F1)", "help"}});
    }
    ImGui::End();
}

}  // namespace splat::app
