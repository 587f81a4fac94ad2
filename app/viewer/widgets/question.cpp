#include "viewer/widgets/question.h"

#include <utility>

#include <imgui.h>

namespace splat::app {

void Question::unlessLost(std::vector<std::string> lost, std::string verb, std::function<void()> then) {
    if (lost.empty() || !asks) return then();
    asked_ = Asked{"Not saved", std::move(lost), {verb + " anyway", std::move(then)}, {"Cancel", nullptr}};
}

void Question::offer(std::string title, std::vector<std::string> lines, Answer first, Answer second) {
    if (asks) asked_ = Asked{std::move(title), std::move(lines), std::move(first), std::move(second)};
}

void Question::press(std::string_view chord) {
    if (chord == "Escape") asked_.reset();
    if (chord == "Enter") entered_ = true;
}

void Question::draw() {
    const bool entered = std::exchange(entered_, false);
    if (asked_) title_ = asked_->title;
    if (title_.empty()) return;  // nothing has been asked yet
    const char* title = title_.c_str();
    if (!asked_ && !ImGui::IsPopupOpen(title)) return;
    if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove)) return;
    if (!asked_) {  // cancelled
        ImGui::CloseCurrentPopup();
        return ImGui::EndPopup();
    }
    for (const std::string& line : asked_->lines) ImGui::BulletText("%s", line.c_str());
    ImGui::Spacing();
    bool yes = ImGui::Button(asked_->yes.text.c_str());
    yes |= entered && ImGui::IsItemFocused();
    ImGui::SameLine();
    bool no = ImGui::Button(asked_->no.text.c_str());
    no |= entered && ImGui::IsItemFocused();
    ImGui::SetItemDefaultFocus();
    if (yes || no) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    if (yes || no) agreed_ = std::move(yes ? asked_->yes.then : asked_->no.then);
    if (yes || no) asked_.reset();
}

}  // namespace splat::app
