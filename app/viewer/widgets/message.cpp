#include "viewer/widgets/message.h"

#include <algorithm>
#include <utility>

#include <imgui.h>

#include "viewer/window/style.h"

namespace splat::app {

void Message::show(std::string text) { text_ = std::move(text); }

void Message::press(std::string_view chord) {
    if (chord == "Escape" || chord == "Enter") text_.clear();
}

void Message::draw() {
    constexpr const char* kTitle = "Message";
    if (!open() && !ImGui::IsPopupOpen(kTitle)) return;
    if (!ImGui::IsPopupOpen(kTitle)) ImGui::OpenPopup(kTitle);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(points(600), 0.9F * screen.x);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 0.9F * screen.y});
    if (!ImGui::BeginPopupModal(kTitle, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove)) return;
    ImGui::PushTextWrapPos(width - 2 * ImGui::GetStyle().WindowPadding.x);
    ImGui::TextUnformatted(text_.c_str());
    ImGui::PopTextWrapPos();
    ImGui::Spacing();
    if (ImGui::Button("Copy")) ImGui::SetClipboardText(text_.c_str());
    ImGui::SameLine();
    if (ImGui::Button("Close")) text_.clear();
    ImGui::SetItemDefaultFocus();
    if (!open()) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace splat::app
