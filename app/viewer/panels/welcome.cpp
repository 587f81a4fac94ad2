#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer.h"

namespace splat::app {

void drawWelcome(Viewer& viewer) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("welcome", nullptr, kFlags)) {
        ImGui::TextUnformatted("Drop splats (PLY, compressed PLY, SPZ, .splat) here to look at them,");
        ImGui::TextUnformatted("or a dataset folder (COLMAP, transforms.json) to train on it.");
        ImGui::Spacing();
        if (ImGui::Button("Open...")) viewer.act("open");
        ImGui::SameLine();
        if (ImGui::Button("Keys (F1)")) viewer.act("help");
    }
    ImGui::End();
}

}  // namespace splat::app
