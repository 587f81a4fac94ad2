#include <algorithm>
#include <string>
#include <vector>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "viewer/panels/panels.h"
#include "viewer/viewer/viewer.h"
#include "viewer/window/style.h"

namespace splat::app {

namespace {

constexpr const char *kSwitch = "problems only", *kCopy = "Copy", *kClear = "Clear";

ImVec4 colourOf(const LoggedMessage& message) {
    constexpr ImVec4 kError{1.0F, 0.45F, 0.35F, 1.0F}, kWarning{1.0F, 0.8F, 0.4F, 1.0F};
    if (message.level >= spdlog::level::err) return kError;
    return message.level == spdlog::level::warn ? kWarning : ImGui::GetStyleColorVec4(ImGuiCol_Text);
}

/// What the switch and the buttons beside the filter leave, pixels.
float filterWidth() {
    const ImGuiStyle& style = ImGui::GetStyle();
    float others = ImGui::GetFrameHeight() + style.ItemInnerSpacing.x;
    for (const char* label : {kSwitch, kCopy, kClear}) others += ImGui::CalcTextSize(label).x + style.ItemSpacing.x;
    return std::clamp(ImGui::GetContentRegionAvail().x - others - 4 * style.FramePadding.x, points(40), points(220));
}

void copy(const std::vector<LoggedMessage>& messages) {
    std::string text;
    for (const LoggedMessage& message : messages) text += lineOf(message) + "\n";
    ImGui::SetClipboardText(text.c_str());
}

void drawMessages(const std::vector<LoggedMessage>& messages) {
    ImGui::BeginChild("messages");
    for (const LoggedMessage& message : messages) {
        ImGui::PushStyleColor(ImGuiCol_Text, colourOf(message));
        ImGui::TextWrapped("%s", lineOf(message).c_str());
        ImGui::PopStyleColor();
    }
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1);  // it stays where the user has scrolled to
    ImGui::EndChild();
}

void drawLogPanel(Viewer& viewer) {
    MessageLog& log = viewer.work().messages;
    LogFilter& filter = viewer.work().logFilter;
    ImGui::SetNextItemWidth(filterWidth());
    ImGui::InputTextWithHint("##filter", "filter", &filter.text);
    ImGui::SameLine();
    ImGui::Checkbox(kSwitch, &filter.problemsOnly);
    const std::vector<LoggedMessage> shown = log.matching(filter.text, filter.problemsOnly);
    ImGui::SameLine();
    if (ImGui::Button(kCopy)) copy(shown);
    ImGui::SameLine();
    if (ImGui::Button(kClear)) log.clear();
    drawMessages(shown);
}

}  // namespace

extern const Panel kLogPanel{
    .title = "Log", .side = Side::below, .open = false, .useful = [](const Viewer&) { return true; }, .draw = drawLogPanel};

}  // namespace splat::app
