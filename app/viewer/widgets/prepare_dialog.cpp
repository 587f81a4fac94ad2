#include "viewer/widgets/prepare_dialog.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <splatwright/core/names.h>
#include <splatwright/scene/files/file_endings.h>
#include "viewer/window/style.h"

namespace splat::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTitle = "No camera poses";

}  // namespace

void PrepareDialog::offer(const fs::path& input, std::string contents, Chosen chosen) {
    // The dataset goes beside its photographs or its video.
    fs::path whole = fs::absolute(input).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    const std::string name = (hasEnding(whole, kVideoEndings) ? whole.stem() : whole.filename()).string();
    settings_ = {.input = input, .out = whole.parent_path() / (name + "-dataset")};
    contents_ = std::move(contents);
    out_ = escapedName(settings_.out.generic_string());
    isVideo_ = hasEnding(input, kVideoEndings);
    frames_ = static_cast<int>(settings_.frames);
    chosen_ = std::move(chosen);
    open_ = true;
}

void PrepareDialog::press(std::string_view chord) {
    if (chord == "Escape") open_ = false;
    if (chord == "Enter") entered_ = true;
}

void PrepareDialog::draw() {
    if (!open_ && !ImGui::IsPopupOpen(kTitle)) return;
    if (!ImGui::IsPopupOpen(kTitle)) ImGui::OpenPopup(kTitle);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(points(560), 0.95F * screen.x);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y});
    if (!ImGui::BeginPopupModal(kTitle, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove)) return;
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(printable(fmt::format("{}: {} without camera poses", settings_.input.string(), contents_)).c_str());
    ImGui::TextUnformatted("COLMAP can compute them. This takes minutes; it can be stopped, and goes on from there later.");
    ImGui::PopTextWrapPos();
    ImGui::Spacing();
    ImGui::TextUnformatted("Folder for the dataset");
    ImGui::SetNextItemWidth(-1);
    ImGui::InputText("##folder", &out_);
    if (isVideo_) {
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x / 2);
        ImGui::SliderInt("frames at most", &frames_, prepare::kFewestPhotographs, 500, "%d", ImGuiSliderFlags_AlwaysClamp);
    }
    if (drawButtons()) open_ = false;
    if (!open_) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

/// Returns whether one was pressed.
bool PrepareDialog::drawButtons() {
    const bool entered = std::exchange(entered_, false);
    ImGui::Spacing();
    bool yes = ImGui::Button("Prepare, then train");
    ImGui::SetItemDefaultFocus();
    ImGui::SameLine();
    bool no = ImGui::Button("Cancel");
    if (entered) (ImGui::IsItemFocused() ? no : yes) = true;
    if (yes) {
        if (out_ != escapedName(settings_.out.generic_string())) settings_.out = out_;  // a path may have bytes that no text has
        settings_.frames = static_cast<uint32_t>(frames_);
        done_ = [chosen = chosen_, settings = settings_] { chosen(settings); };
    }
    return yes || no;
}

}  // namespace splat::app
