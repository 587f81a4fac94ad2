#include "viewer/widgets/question.h"

#include <utility>

#include <imgui.h>

namespace splat::app {

void Question::unlessLost(std::vector<std::string> lost, std::string verb, std::function<void()> then) {
    if (lost.empty() || !asks) return then();
    asked_ = Asked{std::move(lost), std::move(verb), std::move(then)};
}

void Question::press(std::string_view chord) {
    if (chord == "Escape") asked_.reset();
    if (chord == "Enter") entered_ = true;
}

void Question::draw() {
    const bool entered = std::exchange(entered_, false);
    constexpr const char* kTitle = "Not saved";
    if (!asked_ && !ImGui::IsPopupOpen(kTitle)) return;
    if (!ImGui::IsPopupOpen(kTitle)) ImGui::OpenPopup(kTitle);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    if (!ImGui::BeginPopupModal(kTitle, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove)) return;
    if (!asked_) {  // cancelled
        ImGui::CloseCurrentPopup();
        return ImGui::EndPopup();
    }
    for (const std::string& line : asked_->lost) ImGui::BulletText("%s", line.c_str());
    ImGui::Spacing();
    bool yes = ImGui::Button((asked_->verb + " anyway").c_str());
    yes |= entered && ImGui::IsItemFocused();
    ImGui::SameLine();
    bool no = ImGui::Button("Cancel");
    no |= entered && ImGui::IsItemFocused();
    ImGui::SetItemDefaultFocus();
    if (yes || no) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (yes) agreed_ = std::move(asked_->then);
    if (yes || no) asked_.reset();
}

}  // namespace splat::app
